#include "fail_on.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace xfer::launcher {
namespace {

Finding finding(Rule rule, Severity severity) {
  Finding result;
  result.rule = rule;
  result.severity = severity;
  return result;
}

TEST(FailOn, RulesAndSeverities) {
  const Finding repeated = finding(Rule::kRepeatedTransfer, Severity::kWarning);
  const Finding round_trip = finding(Rule::kRoundTrip, Severity::kAdvice);
  EXPECT_TRUE(FailOn::parse("repeated-transfer").matches(repeated));
  EXPECT_FALSE(FailOn::parse("repeated-transfer").matches(round_trip));
  EXPECT_TRUE(FailOn::parse("unused-transfer,round-trip").matches(round_trip));
  EXPECT_TRUE(FailOn::parse("warning").matches(repeated));
  EXPECT_FALSE(FailOn::parse("error").matches(repeated));
  EXPECT_FALSE(FailOn::parse("warning").matches(round_trip));
  EXPECT_TRUE(FailOn::parse("error,advice").matches(round_trip));
  EXPECT_TRUE(FailOn::parse("any").matches(round_trip));
  EXPECT_TRUE(FailOn().empty());
}

TEST(FailOn, ACommaInTheNameOfAScopeEndsNothing) {
  Report report;
  report.stats["scopes"]["f<int, char>"]["most"]["h2d_bytes"] = 2;
  report.stats["syncs"]["count"] = 4;
  const FailOn parsed =
      FailOn::parse("round-trip,h2d_bytes_per_scope(f<int, char>)>1,syncs>3,error");
  EXPECT_EQ(parsed.exceeded(report).size(), 2U);
  EXPECT_TRUE(parsed.matches(finding(Rule::kRoundTrip, Severity::kAdvice)));
  EXPECT_FALSE(parsed.matches(finding(Rule::kUnusedTransfer, Severity::kWarning)));
}

TEST(FailOn, AsksForTheRuleThatWasMeant) {
  try {
    FailOn::parse("round-tripp");
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "--fail-on: expected a rule, a severity (error, warning, advice), a budget "
                 "(metric>limit) or any, got 'round-tripp'; did you mean 'round-trip'?");
  }
}

TEST(FailOn, SaysWhatItDoesNotUnderstand) {
  for (const char* spec : {"", ",", "no-such-rule", "warning,", "h2d-bytes<1MiB"}) {
    try {
      const FailOn parsed = FailOn::parse(spec);
      if (std::string_view(spec) != "warning,") ADD_FAILURE() << spec;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string_view(error.what()).find("--fail-on"), 0U) << spec;
    }
  }
}

}  // namespace
}  // namespace xfer::launcher
