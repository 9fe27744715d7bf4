#include "xfer/rules/suppressions.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace xfer {
namespace {

bool suppressed(const char* text, Rule rule, std::vector<std::string_view> names) {
  return Suppressions::parse(text, "s").match(rule, names);
}

std::string complaint(const char* text) {
  try {
    Suppressions::parse(text, "team.supp");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Suppressions, name_a_rule_and_a_part_of_a_name) {
  const char* text = "# ours\n\n  repeated-transfer: load_weights \r\n";
  EXPECT_TRUE(suppressed(text, Rule::kRepeatedTransfer, {"app::load_weights"}));
  EXPECT_TRUE(suppressed(text, Rule::kRepeatedTransfer, {"", "main", "load_weights_again"}));
  EXPECT_FALSE(suppressed(text, Rule::kRoundTrip, {"app::load_weights"}));
  EXPECT_FALSE(suppressed(text, Rule::kRepeatedTransfer, {"load_images"}));
  EXPECT_FALSE(suppressed("", Rule::kRoundTrip, {"anything"}));
}

TEST(Suppressions, a_star_is_every_rule) {
  EXPECT_TRUE(suppressed("*:libvendor.so", Rule::kRoundTrip, {"/opt/v/libvendor.so.3"}));
  EXPECT_TRUE(suppressed("*:libvendor.so", Rule::kUnusedTransfer, {"/opt/v/libvendor.so.3"}));
}

TEST(Suppressions, bind_and_jump) {
  const char* text = "*:^src/*/old_*.cc$";
  EXPECT_TRUE(suppressed(text, Rule::kRoundTrip, {"src/net/old_loader.cc"}));
  EXPECT_FALSE(suppressed(text, Rule::kRoundTrip, {"lib/src/net/old_loader.cc"}));
  EXPECT_FALSE(suppressed(text, Rule::kRoundTrip, {"src/net/old_loader.cc.inc"}));
  EXPECT_FALSE(suppressed(text, Rule::kRoundTrip, {"src/net/loader.cc"}));
  EXPECT_TRUE(suppressed("*:a*b*c", Rule::kRoundTrip, {"xxaabbabcx"}));
}

TEST(Suppressions, of_two_files) {
  Suppressions both = Suppressions::parse("round-trip:train.cc", "a");
  both.add(Suppressions::parse("unused-transfer:eval.cc", "b"));
  EXPECT_TRUE(both.match(Rule::kRoundTrip, {"src/train.cc"}));
  EXPECT_TRUE(both.match(Rule::kUnusedTransfer, {"src/eval.cc"}));
  EXPECT_FALSE(both.match(Rule::kUnusedTransfer, {"src/train.cc"}));
}

TEST(Suppressions, say_what_is_wrong_and_where) {
  EXPECT_EQ(complaint("\nround-trip\n"),
            "team.supp:2: a suppression is rule:pattern, or *:pattern");
  EXPECT_EQ(
      complaint("roundtrip:x"),
      "team.supp:1: there is no rule 'roundtrip'; did you mean 'round-trip'? (* is every rule)");
  EXPECT_EQ(complaint("*:"), "team.supp:1: the pattern '' would match everything");
  EXPECT_EQ(complaint("*:*"), "team.supp:1: the pattern '*' would match everything");
  EXPECT_THROW(Suppressions::read("/nowhere/x.supp"), std::runtime_error);
  EXPECT_THROW(Suppressions::read("/tmp"), std::runtime_error);
}

}  // namespace
}  // namespace xfer
