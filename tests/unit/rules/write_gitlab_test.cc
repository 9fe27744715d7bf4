#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

nlohmann::ordered_json written(std::vector<Finding> findings) {
  std::ostringstream out;
  write_gitlab(report_of(std::move(findings)), out);
  return nlohmann::ordered_json::parse(out.str());
}

TEST(WriteGitlab, is_one_issue_a_finding) {
  EXPECT_EQ(
      written({full_finding()}).dump(),
      R"([{"description":"the result of to is discarded: x stays where it is; fix: assign it",)"
      R"("check_name":"discarded-transfer","fingerprint":"0123456789abcdef",)"
      R"("severity":"major","location":{"path":"src/f.cc","lines":{"begin":3}}}])");
}

TEST(WriteGitlab, puts_the_most_severe_first) {
  const auto issues = written({small_finding(Rule::kRoundTrip, "a", 1, Severity::kAdvice),
                               small_finding(Rule::kMissingTransfer, "c", 3, Severity::kError)});
  EXPECT_EQ(issues.at(0).at("severity"), "critical");
  EXPECT_EQ(issues.at(1).at("severity"), "info");
}

TEST(WriteGitlab, every_issue_has_a_place) {
  EXPECT_EQ(written({small_finding(Rule::kRoundTrip, "", 0)})[0]["location"]["path"], ".");
  EXPECT_EQ(written({small_finding(Rule::kRoundTrip, "a", 0)})[0]["location"]["lines"]["begin"], 1);
}

TEST(WriteGitlab, says_what_was_not_parsed) {
  Report report = report_of({});
  report.runs.push_back(new_run(RunKind::kLint, "xferlint"));
  report.runs.back().not_parsed = {"a.cc: error"};
  std::ostringstream out;
  write_gitlab(report, out);
  const auto issues = nlohmann::ordered_json::parse(out.str());
  EXPECT_EQ(issues.at(0).at("check_name"), "xferlint");
  EXPECT_THAT(issues.at(0).at("description").get<std::string>(), testing::HasSubstr("a.cc"));
}

TEST(WriteGitlab, is_text_whatever_the_names_are) {
  EXPECT_EQ(written({small_finding(Rule::kRoundTrip, "a\xff\".cc", 1)})[0]["location"]["path"],
            "a\xef\xbf\xbd\".cc");
}

}  // namespace
}  // namespace xfer
