#include "xfer/rules/diff.h"

#include <gmock/gmock.h>

#include <sstream>

namespace xfer {
namespace {

using testing::HasSubstr;

Finding finding(const char* fingerprint, std::uint64_t count, std::uint64_t bytes) {
  Finding result;
  result.rule = Rule::kRepeatedTransfer;
  result.message = std::string("about ") + fingerprint;
  result.location = {"src/train.cc", 7, 0, "step"};
  result.cost = Cost{count, bytes, 1000 * count, 0, 0};
  result.fingerprint = fingerprint;
  return result;
}

Report report(std::vector<Finding> findings) {
  Report result;
  result.tool = "xfertrace";
  result.findings = std::move(findings);
  return result;
}

std::string text(const ReportDiff& diff) {
  std::ostringstream out;
  write_text(diff, out);
  return out.str();
}

TEST(Diff, says_what_is_new_worse_better_and_gone) {
  const ReportDiff changes = diff(report({finding("a", 1, 100), finding("b", 2, 200),
                                          finding("c", 3, 300), finding("d", 4, 400)}),
                                  report({finding("e", 5, 500), finding("d", 4, 400),
                                          finding("c", 3, 200), finding("b", 3, 300)}));
  EXPECT_EQ(changes.unchanged, 1u);
  EXPECT_TRUE(changes.is_worse());
  ASSERT_EQ(changes.changes.size(), 4u);
  EXPECT_EQ(changes.changes[0].change, Change::kNew);
  EXPECT_EQ(changes.changes[0].after->fingerprint, "e");
  EXPECT_EQ(changes.changes[1].change, Change::kWorse);
  EXPECT_EQ(changes.changes[1].after->fingerprint, "b");
  EXPECT_EQ(changes.changes[2].change, Change::kBetter);
  EXPECT_EQ(changes.changes[3].change, Change::kGone);
  EXPECT_EQ(changes.changes[3].before->fingerprint, "a");
  EXPECT_THAT(text(changes), HasSubstr("worse: src/train.cc:7: about b [repeated-transfer]\n"
                                       "  before: 2 times, 200 bytes, 2 us on the host\n"
                                       "  after:  3 times, 300 bytes, 3 us on the host\n"));
  EXPECT_THAT(text(changes), HasSubstr("1 new, 1 worse, 1 better, 1 gone, 1 unchanged\n"));
}

TEST(Diff, times_decide_nothing) {
  Finding slower = finding("a", 1, 100);
  slower.cost->host_ns *= 10;
  const ReportDiff changes = diff(report({finding("a", 1, 100)}), report({slower}));
  EXPECT_TRUE(changes.changes.empty());
  EXPECT_FALSE(changes.is_worse());
}

TEST(Diff, what_went_away_is_no_reason_to_fail) {
  EXPECT_FALSE(diff(report({finding("a", 1, 100)}), report({})).is_worse());
  EXPECT_FALSE(diff(report({finding("a", 2, 100)}), report({finding("a", 1, 100)})).is_worse());
  EXPECT_FALSE(diff(report({}), report({})).is_worse());
}

TEST(Diff, findings_of_one_fingerprint_are_paired_one_to_one) {
  const ReportDiff changes =
      diff(report({finding("a", 1, 100)}), report({finding("a", 1, 100), finding("a", 1, 100)}));
  ASSERT_EQ(changes.changes.size(), 1u);
  EXPECT_EQ(changes.changes[0].change, Change::kNew);
}

TEST(Diff, as_json) {
  std::ostringstream out;
  write_json(diff(report({finding("a", 1, 100)}), report({finding("a", 2, 200)})), out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["schema"], "xfercheck-diff/1");
  EXPECT_EQ(json["worse"][0]["before"]["cost"]["count"], 1);
  EXPECT_EQ(json["worse"][0]["after"]["cost"]["count"], 2);
  EXPECT_TRUE(json["new"].empty());
  EXPECT_EQ(json["unchanged"], 0);
}

}  // namespace
}  // namespace xfer
