#include <gmock/gmock.h>

#include <set>

#include "sample.h"

namespace xfer {
namespace {

class Fingerprint : public testing::Test {
 protected:
  std::vector<std::string> of(std::vector<Finding> findings) const {
    Report report = report_of(std::move(findings));
    assign_fingerprints(report, dir_.path());
    std::vector<std::string> all;
    for (const Finding& finding : report.findings) all.push_back(finding.fingerprint);
    return all;
  }

  std::string of(unsigned line, const std::string& source) const {
    dir_.write("a.cc", source);
    return of({small_finding(Rule::kRoundTrip, "a.cc", line)})[0];
  }

  TempDir dir_;
};

TEST_F(Fingerprint, is_stable_over_versions) {
  // Baselines are kept in repositories: a change here makes every one of them stale.
  EXPECT_EQ(of(1, "x.cpu().cuda();\n"), "c24d46361043f647");
}

TEST_F(Fingerprint, survives_edits_elsewhere_and_formatting) {
  const std::string before = of(1, "  y = x.cpu() .cuda();\n");
  EXPECT_EQ(of(3, "// new\n\n\ty =  x.cpu()\t.cuda();   \r\n"), before);
  EXPECT_NE(of(1, "  y = x.cuda().cpu();\n"), before);
}

TEST_F(Fingerprint, differs_by_rule_file_and_function) {
  dir_.write("a.cc", "same\nsame\n");
  dir_.write("b.cc", "same\n");
  Finding other_function = small_finding(Rule::kRoundTrip, "a.cc", 1);
  other_function.location.function = "g";
  const auto all = of({small_finding(Rule::kRoundTrip, "a.cc", 1),
                       small_finding(Rule::kDiscardedTransfer, "a.cc", 1),
                       small_finding(Rule::kRoundTrip, "b.cc", 1), other_function,
                       small_finding(Rule::kRoundTrip, "a.cc", 2)});
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST_F(Fingerprint, does_not_depend_on_the_order_of_the_report) {
  dir_.write("a.cc", "same\nsame\n");
  const Finding first = small_finding(Rule::kRoundTrip, "a.cc", 1);
  const Finding second = small_finding(Rule::kRoundTrip, "a.cc", 2);
  const auto forward = of({first, second});
  const auto backward = of({second, first});
  EXPECT_EQ(forward[0], backward[1]);
  EXPECT_EQ(forward[1], backward[0]);
}

TEST_F(Fingerprint, keeps_what_is_there_and_needs_no_source) {
  Finding finding = small_finding(Rule::kRoundTrip, "not_there.cc", 7);
  EXPECT_EQ(of({finding})[0].size(), 16u);
  finding.fingerprint = "kept";
  EXPECT_EQ(of({finding})[0], "kept");
}

}  // namespace
}  // namespace xfer
