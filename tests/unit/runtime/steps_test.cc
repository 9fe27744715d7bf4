#include "detect/steps.h"

#include <gtest/gtest.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

/// Of a loss of 100 ns in each of the calls at these times.
StepShare share_in(const std::string& trace, const std::vector<std::uint64_t>& times,
                   const Steps::NameOf& name_of = {}) {
  Steps steps(name_of);
  for (const Event& event : parse_trace(trace)) steps.see(event);
  steps.settle();
  std::vector<Loss> losses;
  for (const std::uint64_t at : times) losses.push_back({at, 100});
  return steps.share(losses, {times.front(), times.back()}, times.size());
}

TEST(Steps, AScopeThatComesAgainWithWork) {
  // Each takes a call of 1000 ns, and 500 ns lie between them; the last call lies outside.
  const StepShare share = share_in("repeat 4\nenter 7 ns=0\nlaunch all\nleave 7 ns=500\nend",
                                   {10, 1'600, 3'100, 9'000});
  EXPECT_EQ(share.name, "7");
  EXPECT_EQ(share.count, 4u);
  EXPECT_EQ(share.ns, 4'000u);
  EXPECT_EQ(share.saving_ns, 300u);
  EXPECT_DOUBLE_EQ(share.share(), 0.075);
}
TEST(Steps, NumberedScopesOfOnePlaceAreOne) {
  const StepShare share = share_in("repeat 4\nenter 7{i} ns=0\nlaunch all\nleave 7{i} ns=0\nend",
                                   {10}, [](std::uint32_t) { return "step"; });
  EXPECT_EQ(share.name, "step");
  EXPECT_EQ(share.count, 4u);
}
TEST(Steps, TheOneThatComesMostOften) {
  EXPECT_EQ(share_in("repeat 2\nenter 1 ns=0\nenter 2 ns=0\nlaunch all\nleave 2 ns=0\n"
                     "enter 2 ns=0\nlaunch all\nleave 2 ns=0\nleave 1 ns=0\nend",
                     {10})
                .name,
            "2");
}
TEST(Steps, TheOuterOfThoseThatComeEquallyOften) {
  EXPECT_EQ(share_in("repeat 2\nenter 2 ns=10\nenter 1 ns=0\nlaunch all\nleave 1 ns=10\n"
                     "leave 2 ns=0\nend",
                     {100})
                .name,
            "2");
}
TEST(Steps, AScopeWithoutWorkIsNone) {
  EXPECT_EQ(share_in("repeat 3\nenter 1 ns=0\nenter 2 ns=0\nset A 64\nleave 2 ns=0\n"
                     "enter 2 ns=0\nset A 64\nleave 2 ns=0\nlaunch all\nleave 1 ns=0\nend",
                     {100})
                .name,
            "1");
}
TEST(Steps, WithoutOneTheTimesBetweenTheCallsAreIt) {
  const StepShare share = share_in("enter 1 ns=0\nlaunch all\nleave 1", {1'000, 2'000, 4'000});
  EXPECT_EQ(share.name, "");
  EXPECT_EQ(share.count, 2u);
  EXPECT_EQ(share.ns, 3'000u);
  EXPECT_EQ(share.saving_ns, 200u);
}
TEST(Steps, OneCallAloneHasNone) { EXPECT_EQ(share_in("launch all", {1'000}).share(), 0); }

TEST(Steps, SharesOfOneStepAreAddedUpAndTheLargerOfTwoStands) {
  StepShare sum{"step", 4, 1'000, 100};
  sum += StepShare{"step", 4, 1'000, 300};
  EXPECT_EQ(sum.ns, 2'000u);
  EXPECT_EQ(sum.saving_ns, 400u);
  sum += StepShare{"other", 9, 9'000, 10};
  EXPECT_EQ(sum.name, "step");
  sum += StepShare{};
  EXPECT_EQ(sum.count, 8u);
  sum += StepShare{"other", 9, 9'000, 900};
  EXPECT_EQ(sum.name, "other");
}

}  // namespace
}  // namespace xfer::test
