#include "analyzer/driver/diff_filter.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xfer::lint {
namespace {

ChangedLines parse(const std::string& text) {
  std::istringstream in(text);
  return ChangedLines::from_patch(in);
}

TEST(DiffFilter, RangesOfHunks) {
  const ChangedLines changed = parse(
      "diff --git a/x.cc b/x.cc\n--- a/x.cc\n+++ b/x.cc\n@@ -1 +1,2 @@ int main()\n-a\n+b\n+c\n"
      "@@ -9,2 +10 @@\n-d\n-e\n+f\n");
  EXPECT_TRUE(changed.contains("x.cc", 1));
  EXPECT_TRUE(changed.contains("x.cc", 2));
  EXPECT_FALSE(changed.contains("x.cc", 3));
  EXPECT_TRUE(changed.contains("x.cc", 10));
  EXPECT_FALSE(changed.contains("x.cc", 11));
  EXPECT_FALSE(changed.contains("y.cc", 1));
}

TEST(DiffFilter, DeletionsMarkNothing) {
  const ChangedLines changed = parse(
      "--- a/x.cc\n+++ b/x.cc\n@@ -3,2 +2,0 @@\n-a\n-b\n--- a/y.cc\n+++ /dev/null\n@@ -1 +0,0 "
      "@@\n-a\n");
  EXPECT_FALSE(changed.contains("x.cc", 2));
  EXPECT_FALSE(changed.contains("y.cc", 1));
}

TEST(DiffFilter, LinesThatLookLikeHeaders) {
  const ChangedLines changed = parse(
      "--- a/x.cc\n+++ b/x.cc\n@@ -1,1 +1,1 @@\n--- a/z.cc\n+++ b/z.cc\n@@ -5 +5 @@\n-p\n+q\n");
  EXPECT_TRUE(changed.contains("x.cc", 1));
  EXPECT_TRUE(changed.contains("x.cc", 5));
  EXPECT_FALSE(changed.contains("z.cc", 5));
}

TEST(DiffFilter, NamesWithSpacesAndQuotes) {
  const ChangedLines changed =
      parse("+++ b/a b.cc\t\n@@ -1 +1 @@\n-a\n+b\n+++ \"b/c d.cc\"\n@@ -1 +1 @@\n-a\n+b\n");
  EXPECT_TRUE(changed.contains("a b.cc", 1));
  EXPECT_TRUE(changed.contains("c d.cc", 1));
}

TEST(DiffFilter, ANoteOnAChangedLineKeepsItsFinding) {
  const ChangedLines changed = parse("+++ b/x.cc\n@@ -4 +4 @@\n-a\n+b\n");
  Finding finding;
  finding.location = {.file = "x.cc", .line = 20, .column = 1, .function = {}};
  EXPECT_FALSE(changed.touches(finding));
  finding.notes.push_back({{.file = "x.cc", .line = 4, .column = 1, .function = {}}, "moved here"});
  EXPECT_TRUE(changed.touches(finding));
}

}  // namespace
}  // namespace xfer::lint
