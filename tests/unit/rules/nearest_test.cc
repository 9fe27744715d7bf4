#include "xfer/rules/nearest.h"

#include <gtest/gtest.h>

#include <array>

#include "xfer/rules/rule.h"

namespace xfer {
namespace {

using Names = std::array<std::string_view, 3>;
constexpr Names kNames = {"hash", "hash_budget", "stacks"};

TEST(Nearest, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(nearest("hsh", kNames), "hash") << "a letter is missing";
  EXPECT_EQ(nearest("hahs", kNames), "hash") << "two letters are swapped";
  EXPECT_EQ(nearest("hash_budgte", kNames), "hash_budget");
  EXPECT_EQ(nearest("stick", kNames), "stacks");
  EXPECT_EQ(nearest("", kNames), "hash") << "the shortest";
  EXPECT_EQ(nearest("hash", {}), "");
}

TEST(Nearest, PrefersANameThatContainsTheWord) {
  EXPECT_EQ(nearest("bud", kNames), "hash_budget") << "fewer edits make 'hash' of it";
  EXPECT_EQ(nearest("roundtrip", kSlugs), "round-trip");
  EXPECT_EQ(nearest("pageable", kSlugs), "pageable-async");
}

TEST(Nearest, OfARuleIsTheRuleItself) {
  for (const RuleInfo& rule : kRules) EXPECT_EQ(nearest(rule.slug, kSlugs), rule.slug);
}

TEST(DidYouMean, AsksWhereSomethingIsNear) {
  EXPECT_EQ(did_you_mean("hahs", kNames), "; did you mean 'hash'?");
  EXPECT_EQ(did_you_mean("budget", kNames), "; did you mean 'hash_budget'?");
  EXPECT_EQ(did_you_mean("transfer-in-lop", kSlugs), "; did you mean 'transfer-in-loop'?");
}

TEST(DidYouMean, IsSilentWhereNothingIs) {
  EXPECT_EQ(did_you_mean("xyzzy_qqq", kNames), "");
  EXPECT_EQ(did_you_mean("", kNames), "");
  EXPECT_EQ(did_you_mean("hash", {}), "");
}

}  // namespace
}  // namespace xfer
