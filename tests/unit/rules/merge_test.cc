#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

using testing::ElementsAre;

Finding run_finding(Rule rule, const std::string& file, unsigned line, Cost cost) {
  Finding finding = small_finding(rule, file, line);
  finding.confidence = Confidence::kProven;
  finding.message = "run";
  finding.cost = cost;
  finding.stack = {{file, line, 0, "f"}};
  return finding;
}

std::vector<unsigned> lines(const Report& report) {
  std::vector<unsigned> all;
  for (const Finding& finding : report.findings) all.push_back(finding.location.line);
  return all;
}

TEST(Merge, a_lint_finding_gets_the_summed_cost_of_its_line) {
  const Report merged =
      merge(report_of({small_finding(Rule::kTransferInLoop, "a.cc", 5)}),
            report_of({run_finding(Rule::kRepeatedTransfer, "a.cc", 5, {10, 1000, 50, 7}),
                       run_finding(Rule::kRoundTrip, "./a.cc", 5, {2, 24, 5, 1})}));
  EXPECT_EQ(merged.tool, "xfercheck");
  ASSERT_EQ(merged.findings.size(), 1u);
  const Finding& finding = merged.findings[0];
  EXPECT_EQ(finding.rule, Rule::kTransferInLoop);
  ASSERT_TRUE(finding.cost.has_value());
  EXPECT_EQ(finding.cost->count, 12u);
  EXPECT_EQ(finding.cost->bytes, 1024u);
  EXPECT_EQ(finding.cost->host_ns, 55u);
  EXPECT_EQ(finding.cost->device_ns, 8u);
  ASSERT_EQ(finding.notes.size(), 2u);
  EXPECT_EQ(finding.notes[0].message,
            "in the run: run [repeated-transfer], 50 ns on the host, 7 ns on the device");
  EXPECT_EQ(finding.stack.size(), 1u);
}

TEST(Merge, the_remedy_of_the_source_goes_first) {
  Finding run = run_finding(Rule::kRepeatedTransfer, "a.cc", 5, {10, 1000, 50, 7});
  run.fix = Fix{"copy it once", {}};
  Finding lint = small_finding(Rule::kTransferInLoop, "a.cc", 5);
  EXPECT_EQ(merge(report_of({lint}), report_of({run})).findings.at(0).fix->description,
            "copy it once");
  lint.fix = Fix{"move it before the loop", {}};
  EXPECT_EQ(merge(report_of({lint}), report_of({run})).findings.at(0).fix->description,
            "move it before the loop");
}

TEST(Merge, keeps_run_findings_of_other_lines_and_files) {
  const Report merged =
      merge(report_of({small_finding(Rule::kTransferInLoop, "a.cc", 5)}),
            report_of({run_finding(Rule::kRepeatedTransfer, "a.cc", 6, {1, 1, 1, 1}),
                       run_finding(Rule::kRepeatedTransfer, "b.cc", 5, {1, 1, 2, 1}),
                       run_finding(Rule::kRepeatedTransfer, "", 0, {1, 1, 3, 1})}));
  EXPECT_THAT(lines(merged), ElementsAre(0, 5, 6, 5));
  EXPECT_FALSE(merged.findings[3].cost.has_value());
  EXPECT_TRUE(merged.findings[3].notes.empty());
}

TEST(Merge, a_run_finding_confirms_what_says_the_same_and_nothing_else) {
  const auto left = [](Rule lint, Rule run) {
    return merge(report_of({small_finding(lint, "a.cc", 5)}),
                 report_of({run_finding(run, "a.cc", 5, {1, 8, 1, 1})}))
        .findings.size();
  };
  EXPECT_EQ(left(Rule::kRepeatedTransfer, Rule::kRepeatedTransfer), 1u);
  EXPECT_EQ(left(Rule::kTransferInLoop, Rule::kRepeatedTransfer), 1u);
  EXPECT_EQ(left(Rule::kRoundTrip, Rule::kRoundTrip), 1u);
  EXPECT_EQ(left(Rule::kDiscardedTransfer, Rule::kUnusedTransfer), 1u);
  EXPECT_EQ(left(Rule::kMissingTransfer, Rule::kRepeatedTransfer), 2u);
  EXPECT_EQ(left(Rule::kDiscardedTransfer, Rule::kRepeatedTransfer), 2u);
  EXPECT_EQ(left(Rule::kTransferInLoop, Rule::kUnusedTransfer), 2u);
}

TEST(Merge, a_cost_goes_to_one_finding_the_nearest) {
  Finding first = small_finding(Rule::kTransferInLoop, "a.cc", 5);
  first.location.column = 10;
  Finding second = first;
  second.location.column = 30;
  Finding run = run_finding(Rule::kRepeatedTransfer, "a.cc", 5, {3, 1024, 0, 0});
  run.location.column = 32;
  const Report merged = merge(report_of({first, second}), report_of({run}));
  ASSERT_EQ(merged.findings.size(), 2u);
  EXPECT_EQ(merged.findings[0].location.column, 30u);
  ASSERT_TRUE(merged.findings[0].cost.has_value());
  EXPECT_FALSE(merged.findings[1].cost.has_value());
  std::ostringstream out;
  write_text(merged, out, {});
  EXPECT_THAT(out.str(), testing::HasSubstr("together: 3 times, 1 KiB\n"));
}

TEST(Merge, without_columns_the_finding_of_the_very_rule_comes_first) {
  Finding run = run_finding(Rule::kRoundTrip, "a.cc", 5, {3, 1024, 0, 0});
  run.location.column = 0;
  const Report merged = merge(report_of({small_finding(Rule::kTransferInLoop, "a.cc", 5),
                                         small_finding(Rule::kRoundTrip, "a.cc", 5)}),
                              report_of({run}));
  ASSERT_EQ(merged.findings.size(), 2u);
  EXPECT_EQ(merged.findings[0].rule, Rule::kRoundTrip);
  EXPECT_TRUE(merged.findings[0].cost.has_value());
}

TEST(Merge, knows_a_file_from_another_root) {
  const auto left = [](const char* lint, const char* run) {
    return merge(report_of({small_finding(Rule::kRoundTrip, lint, 5)}),
                 report_of({run_finding(Rule::kRoundTrip, run, 5, {1, 8, 1, 1})}))
        .findings.size();
  };
  EXPECT_EQ(left("src/a.cc", "/home/u/p/src/a.cc"), 1u);
  EXPECT_EQ(left("/home/u/p/src/a.cc", "src/a.cc"), 1u);
  EXPECT_EQ(left("src/a.cc", "/home/u/p/xsrc/a.cc"), 2u);
  EXPECT_EQ(left("src/a.cc", "p/src/a.cc"), 2u) << "two relative paths have one root";
  EXPECT_EQ(left("/q/src/a.cc", "/p/src/a.cc"), 2u);
}

TEST(Merge, orders_by_severity_then_cost_then_place_in_the_reports) {
  const Report merged =
      merge(report_of({small_finding(Rule::kRoundTrip, "a.cc", 1),
                       small_finding(Rule::kMissingTransfer, "a.cc", 2, Severity::kError),
                       small_finding(Rule::kRoundTrip, "a.cc", 3)}),
            report_of({run_finding(Rule::kRoundTrip, "a.cc", 3, {1, 10, 5, 0}),
                       run_finding(Rule::kUnusedTransfer, "a.cc", 9, {1, 99999, 4, 0})}));
  EXPECT_THAT(lines(merged), ElementsAre(2, 3, 9, 1));
}

TEST(Merge, keeps_both_stats) {
  Report lint = report_of({}), trace = report_of({});
  lint.stats["files"] = 1;
  trace.stats["copies"] = 2;
  EXPECT_EQ(merge(lint, trace).stats.dump(), R"({"lint":{"files":1},"trace":{"copies":2}})");
}

}  // namespace
}  // namespace xfer
