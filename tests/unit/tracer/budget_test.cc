#include "budget.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace xfer::launcher {
namespace {

using testing::HasSubstr;

Report sample() {
  Report report;
  Finding finding;
  finding.rule = Rule::kRepeatedTransfer;
  finding.cost = Cost{3, 300, 0, 0, 0};
  report.findings.push_back(finding);
  report.stats = nlohmann::ordered_json::parse(R"({
    "copies": {"host-to-device": {"count": 5, "bytes": 2000000}},
    "syncs": {"count": 7},
    "scopes": {"step": {"count": 2, "sum": {"h2d_bytes": 30}, "most": {"h2d_bytes": 20}}}})");
  return report;
}

bool exceeded(const char* item, const Report& report) {
  return Budget::parse(item).exceeded(report).has_value();
}

std::string complaint(const char* item) {
  try {
    Budget::parse(item);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Budget, CallsThatFindingsAreAbout) {
  EXPECT_TRUE(exceeded("repeated-transfer>0", sample()));
  EXPECT_TRUE(exceeded("repeated-transfer>2", sample()));
  EXPECT_FALSE(exceeded("repeated-transfer>3", sample()));
  EXPECT_TRUE(exceeded("repeated-transfer>=3", sample()));
  EXPECT_FALSE(exceeded("round-trip>0", sample()));
}

TEST(Budget, SumsOfTheRun) {
  EXPECT_TRUE(exceeded("h2d_bytes>1MB", sample()));
  EXPECT_FALSE(exceeded("h2d_bytes>2MB", sample()));
  EXPECT_TRUE(exceeded("h2d_bytes>1953KiB", sample()));
  EXPECT_FALSE(exceeded("h2d_bytes>1954KiB", sample()));
  EXPECT_FALSE(exceeded("d2h_count>0", sample()));
  EXPECT_EQ(Budget::parse("h2d_bytes>1MB").exceeded(sample()),
            "--fail-on h2d_bytes>1MB: it is 1.9 MiB (2000000)");
}

TEST(Budget, TheMostInOneScope) {
  EXPECT_TRUE(exceeded("h2d_bytes_per_scope(step)>19", sample()));
  EXPECT_FALSE(exceeded("h2d_bytes_per_scope(step)>20B", sample()));
}

TEST(Budget, NamesOfScopesMayHoldAnything) {
  for (const char* name : {"forward<float>", "a->b", "operator>=(x)", "map<int, int>", "(", "a>9",
                           "step(1)>=2", "1,2,3"}) {
    Report report = sample();
    report.stats["scopes"][name] = report.stats["scopes"]["step"];
    const std::string item = "h2d_bytes_per_scope(" + std::string(name) + ")>";
    EXPECT_TRUE(exceeded((item + "19").c_str(), report)) << name;
    EXPECT_FALSE(exceeded((item + "=21").c_str(), report)) << name;
  }
}

TEST(Budget, AScopeThatNeverWasIsNotAPass) {
  const auto line = Budget::parse("h2d_bytes_per_scope(stpe)>19").exceeded(sample());
  ASSERT_TRUE(line);
  EXPECT_THAT(*line, HasSubstr("no scope 'stpe'"));
}

TEST(Budget, SeveralProcesses) {
  Report report;
  report.stats["processes"] = {sample().stats, sample().stats};
  EXPECT_TRUE(exceeded("syncs>13", report));
  EXPECT_FALSE(exceeded("syncs>14", report));
  EXPECT_FALSE(exceeded("h2d_bytes_per_scope(step)>20", report));
}

TEST(Budget, SaysWhatItDoesNotUnderstand) {
  EXPECT_THAT(complaint("h2d_bytes"), HasSubstr("metric>limit"));
  EXPECT_THAT(complaint("h2d_bytes<1MB"), HasSubstr("metric>limit"));
  EXPECT_THAT(complaint("h2d_bytes>>1MB"), HasSubstr("metric>limit"));
  EXPECT_THAT(complaint("h2d_bytes_per_scope(step)<1MB"), HasSubstr("metric>limit"));
  EXPECT_THAT(complaint("h2d_bytes_per_scope(a->b)<1MB"), HasSubstr("_per_scope(step)>1MB"));
  EXPECT_THAT(complaint("bytes>1MB"), HasSubstr("expected a rule or one of h2d_bytes"));
  EXPECT_THAT(complaint("h2d_byte>1MB"), HasSubstr("did you mean 'h2d_bytes'?"));
  EXPECT_THAT(complaint("roundtrip>1"), HasSubstr("did you mean 'round-trip'?"));
  EXPECT_THAT(complaint("h2d_bytes>"), HasSubstr("expected a number as the limit"));
  EXPECT_THAT(complaint("h2d_bytes>1mb"), HasSubstr("got '1mb'"));
  EXPECT_THAT(complaint("h2d_bytes>-1"), HasSubstr("got '-1'"));
  EXPECT_THAT(complaint("h2d_bytes>99999999999999GB"), HasSubstr("too large"));
  EXPECT_THAT(complaint("h2d_bytes_per_scope()>1"), HasSubstr("which scope?"));
  EXPECT_THAT(complaint("h2d_bytes(step)>1"), HasSubstr("h2d_bytes_per_scope(step)>1MB"));
  EXPECT_THAT(complaint("round-trip_per_scope(step)>1"), HasSubstr("expected a rule or one of"));
}

}  // namespace
}  // namespace xfer::launcher
