#include "analyzer/driver/apply_fixes.h"

#include <gmock/gmock.h>

#include "temp_folder.h"

namespace xfer::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Finding fixed_by(const std::vector<Replacement>& replacements) {
  Finding finding;
  finding.location.file = replacements.front().file;
  finding.fix = Fix{"", replacements};
  return finding;
}

TEST(ApplyFixes, SeveralInOneFileAndSeveralFiles) {
  const TempFolder folder;
  folder.write("a.cc", "one two three");
  folder.write("b.cc", "x");
  const FixResult result = apply_fixes(
      {fixed_by({{"a.cc", 0, 3, "1"}}), fixed_by({{"a.cc", 8, 5, "3"}, {"b.cc", 1, 0, "y"}})},
      folder.path());
  EXPECT_EQ(folder.read("a.cc"), "1 two 3");
  EXPECT_EQ(folder.read("b.cc"), "xy");
  EXPECT_EQ(result.files, 2U);
  EXPECT_THAT(result.applied, ElementsAre(true, true));
}

TEST(ApplyFixes, OverlapsAreAllOrNothing) {
  const TempFolder folder;
  folder.write("a.cc", "0123456789");
  const FixResult result = apply_fixes(
      {fixed_by({{"a.cc", 2, 4, "x"}}), fixed_by({{"a.cc", 5, 1, "y"}, {"a.cc", 9, 1, "z"}})},
      folder.path());
  EXPECT_EQ(folder.read("a.cc"), "01x6789");
  EXPECT_THAT(result.applied, ElementsAre(true, false));
  EXPECT_THAT(result.problems, SizeIs(1));
}

TEST(ApplyFixes, TheSameReplacementTwiceIsDoneOnce) {
  const TempFolder folder;
  folder.write("a.cc", "f(x)");
  const FixResult result = apply_fixes(
      {fixed_by({{"a.cc", 0, 0, "y = "}}), fixed_by({{"a.cc", 0, 0, "y = "}})}, folder.path());
  EXPECT_EQ(folder.read("a.cc"), "y = f(x)");
  EXPECT_THAT(result.applied, ElementsAre(true, true));
}

TEST(ApplyFixes, PlacesOutsideTheFileAndMissingFiles) {
  const TempFolder folder;
  folder.write("a.cc", "abc");
  const FixResult result =
      apply_fixes({fixed_by({{"a.cc", 4, 0, "x"}}), fixed_by({{"a.cc", 2, 5, "x"}}),
                   fixed_by({{"none.cc", 0, 0, "x"}})},
                  folder.path());
  EXPECT_EQ(folder.read("a.cc"), "abc");
  EXPECT_THAT(result.applied, ElementsAre(false, false, false));
  EXPECT_EQ(result.files, 0U);
}

TEST(ApplyFixes, FindingsWithoutAFixAreNoProblem) {
  const FixResult result = apply_fixes({Finding{}}, "/");
  EXPECT_THAT(result.applied, ElementsAre(false));
  EXPECT_THAT(result.problems, IsEmpty());
}

}  // namespace
}  // namespace xfer::lint
