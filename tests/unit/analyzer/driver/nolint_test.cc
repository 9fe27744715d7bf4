#include "analyzer/driver/nolint.h"

#include <gmock/gmock.h>

namespace xfer::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kCheck = "xfer-round-trip";

TEST(Nolint, BareOnTheLineAndOnlyThere) {
  const NolintFile file("a;\nb; // NOLINT\nc;\n");
  EXPECT_FALSE(file.suppresses(kCheck, 1));
  EXPECT_TRUE(file.suppresses(kCheck, 2));
  EXPECT_FALSE(file.suppresses(kCheck, 3));
}

TEST(Nolint, NamesAndGlobs) {
  EXPECT_TRUE(NolintFile("x; // NOLINT(xfer-round-trip)").suppresses(kCheck, 1));
  EXPECT_TRUE(NolintFile("x; // NOLINT(a-b, xfer-*)").suppresses(kCheck, 1));
  EXPECT_TRUE(NolintFile("x; // NOLINT(*): reason").suppresses(kCheck, 1));
  EXPECT_FALSE(NolintFile("x; // NOLINT(xfer-missing-transfer)").suppresses(kCheck, 1));
  EXPECT_FALSE(NolintFile("x; // NOLINT(round-trip)").suppresses(kCheck, 1));
  EXPECT_FALSE(NolintFile("x; // NOLINT(xfer-*,-xfer-round-trip)").suppresses(kCheck, 1));
  EXPECT_FALSE(NolintFile("x; // NOLINT()").suppresses(kCheck, 1));
}

TEST(Nolint, NextLine) {
  const NolintFile file("// NOLINTNEXTLINE(xfer-round-trip)\nx;\ny;\n");
  EXPECT_FALSE(file.suppresses(kCheck, 1));
  EXPECT_TRUE(file.suppresses(kCheck, 2));
  EXPECT_FALSE(file.suppresses(kCheck, 3));
}

TEST(Nolint, BeginAndEnd) {
  const NolintFile file("a;\n// NOLINTBEGIN(xfer-*)\nb;\n// NOLINTEND(xfer-*)\nc;\n");
  EXPECT_FALSE(file.suppresses(kCheck, 1));
  EXPECT_TRUE(file.suppresses(kCheck, 3));
  EXPECT_FALSE(file.suppresses(kCheck, 5));
  EXPECT_THAT(file.unmatched(), IsEmpty());
}

TEST(Nolint, UnmatchedBlocksSuppressNothing) {
  const NolintFile open("// NOLINTBEGIN\nx;\n");
  EXPECT_FALSE(open.suppresses(kCheck, 2));
  EXPECT_THAT(open.unmatched(), ElementsAre(1));
  const NolintFile other("// NOLINTBEGIN(a)\nx;\n// NOLINTEND(b)\n");
  EXPECT_FALSE(other.suppresses(kCheck, 2));
  EXPECT_THAT(other.unmatched(), ElementsAre(3, 1));
}

TEST(Nolint, OtherWordsAreNoMarkers) {
  EXPECT_FALSE(NolintFile("NOLINTED = 1;").suppresses(kCheck, 1));
  EXPECT_FALSE(NolintFile("int NOLINT_count;").suppresses(kCheck, 1));
  EXPECT_TRUE(NolintFile("NOLINTED; // NOLINT").suppresses(kCheck, 1));
}

TEST(Nolint, WindowsLineEnds) {
  EXPECT_TRUE(NolintFile("a;\r\nx; // NOLINT\r\n").suppresses(kCheck, 2));
}

}  // namespace
}  // namespace xfer::lint
