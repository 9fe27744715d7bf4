#include "xfer/rules/finding.h"

#include <gtest/gtest.h>

#include <set>

namespace xfer {
namespace {

TEST(FormatMessage, fills_every_field) {
  EXPECT_EQ(format_message("{a} then {b}, {a}", {{"a", "x"}, {"b", "y"}}), "x then y, x");
}

TEST(FormatMessage, a_missing_field_is_an_error) {
  EXPECT_THROW(format_message("{a} {c}", {{"a", "x"}}), std::invalid_argument);
}

TEST(Rules, slugs_are_unique_and_found) {
  std::set<std::string_view> slugs;
  for (const RuleInfo& rule : kRules) {
    EXPECT_TRUE(slugs.insert(rule.slug).second) << rule.slug;
    EXPECT_EQ(find_rule(rule.slug), rule.rule);
    EXPECT_FALSE(rule.lint_message.empty() && rule.run_message.empty())
        << rule.slug << " has no detector";
  }
  EXPECT_EQ(find_rule("no-such-rule"), std::nullopt);
}

}  // namespace
}  // namespace xfer
