#include "analyzer/driver/checks.h"

#include <gmock/gmock.h>

#include <sstream>

#include "analyzer/analyze.h"
#include "analyzer/driver/usage_error.h"

namespace xfer::lint {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Checks, DefaultIsTheDefaultTier) {
  const std::vector<Rule> rules = enabled_rules("");
  for (const Rule rule : rules) EXPECT_EQ(info(rule).tier, Tier::kDefault);
  EXPECT_THAT(rules, Contains(Rule::kMissingTransfer));
}

TEST(Checks, LaterGlobsWin) {
  EXPECT_THAT(enabled_rules("-*,round-trip"), ElementsAre(Rule::kRoundTrip));
  EXPECT_THAT(enabled_rules("-*, xfer-round-* "), ElementsAre(Rule::kRoundTrip));
  EXPECT_THAT(enabled_rules("-round-trip"), Not(Contains(Rule::kRoundTrip)));
  EXPECT_THAT(enabled_rules("*").size(), analyzer::analyzer_rules().size());
}

TEST(Checks, ToFailOnAdviceTurnsItOn) {
  EXPECT_THAT(enabled_rules("", Severity::kError), Not(Contains(Rule::kSyncInLoop)));
  EXPECT_THAT(enabled_rules("", Severity::kAdvice), Contains(Rule::kSyncInLoop));
  EXPECT_THAT(enabled_rules("", Severity::kAdvice), Contains(Rule::kMissingTransfer));
  EXPECT_THAT(enabled_rules("-sync-in-loop", Severity::kAdvice), Not(Contains(Rule::kSyncInLoop)));
  EXPECT_THAT(enabled_rules("-*,round-trip", Severity::kAdvice), ElementsAre(Rule::kRoundTrip));
}

TEST(Checks, MistakesAreSaid) {
  try {
    enabled_rules("-*,rond-trip");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("round-trip"));
  }
  EXPECT_THROW(enabled_rules("-*"), UsageError);
}

TEST(Checks, Globs) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("a*c", "abbc"));
  EXPECT_TRUE(glob_matches("*b*", "abc"));
  EXPECT_FALSE(glob_matches("a*c", "abd"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_TRUE(glob_matches("a*b*c", "axbxbxc"));
}

TEST(Checks, ExplainPrintsThePage) {
  std::ostringstream out;
  explain_rule("round-trip", out);
  EXPECT_THAT(out.str(), HasSubstr("round-trip"));
  std::ostringstream same;
  explain_rule("xfer-round-trip", same);
  EXPECT_EQ(out.str(), same.str());
  EXPECT_THROW(explain_rule("no-such-rule", out), UsageError);
}

}  // namespace
}  // namespace xfer::lint
