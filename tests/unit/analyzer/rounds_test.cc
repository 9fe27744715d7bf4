// The units that are analysed again when units exchange summaries of their functions.

#include "analyzer/program/rounds.h"

#include <gmock/gmock.h>

namespace xfer::analyzer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Knows nothing but how much is known.
Summary known(unsigned amount = 1) {
  Summary summary;
  summary.known = true;
  summary.written.resize(amount);
  summary.escapes.resize(amount);
  summary.references.resize(amount);
  summary.modules.resize(amount);
  return summary;
}

UnitSummaries unit(const std::string& defines, std::set<std::string> calls = {},
                   unsigned amount = 1) {
  UnitSummaries summaries;
  summaries.functions[defines] = {defines, known(amount)};
  summaries.calls = std::move(calls);
  return summaries;
}

std::vector<std::size_t> units(const std::vector<Rounds::Again>& again) {
  std::vector<std::size_t> result;
  for (const Rounds::Again& one : again) result.push_back(one.unit);
  return result;
}

TEST(RoundsOrder, NobodyRunsAgainForNothing) {
  Rounds run(3);
  run.put(0, unit("a", {"elsewhere"}));
  run.put(1, unit("b"));
  // c.cc failed.
  EXPECT_THAT(run.next(), IsEmpty());
}

TEST(RoundsOrder, CalleesComeFirstAndEachCallerOnce) {
  Rounds run(4);
  run.put(0, unit("a", {"b"}));
  run.put(3, unit("d"));
  run.put(1, unit("b", {"c", "d"}));
  run.put(2, unit("c", {"d"}));
  EXPECT_THAT(units(run.next()), ElementsAre(2));
  run.put(2, unit("c", {"d"}, 2));
  const auto second = run.next();
  EXPECT_THAT(units(second), ElementsAre(1));
  EXPECT_EQ(second.front().others.functions.at("c").summary, known(2));
  EXPECT_EQ(second.front().others.functions.size(), 2u);
  run.put(1, unit("b", {"c", "d"}, 2));
  EXPECT_THAT(units(run.next()), ElementsAre(0));
  run.put(0, unit("a", {"b"}));
  EXPECT_THAT(run.next(), IsEmpty());
}

TEST(RoundsOrder, WhatCameUnchangedIsNotToldAgain) {
  Rounds run(3);
  run.put(0, unit("a", {"b"}));
  run.put(1, unit("b", {"c"}));
  run.put(2, unit("c"));
  EXPECT_THAT(units(run.next()), ElementsAre(1));
  run.put(1, unit("b", {"c"}));
  EXPECT_THAT(units(run.next()), ElementsAre(0));
  run.put(0, unit("a", {"b"}));
  EXPECT_THAT(run.next(), IsEmpty());
}

TEST(RoundsOrder, ARingEnds) {
  Rounds run(2);
  run.put(0, unit("a", {"b"}));
  run.put(1, unit("b", {"a"}));
  unsigned runs = 0;
  for (auto again = run.next(); !again.empty(); again = run.next()) {
    ASSERT_LT(++runs, 20u);
    // Each learns something new each time.
    for (const Rounds::Again& one : again)
      run.put(one.unit, one.unit == 0 ? unit("a", {"b"}, runs + 1) : unit("b", {"a"}, runs + 1));
  }
  EXPECT_GT(runs, 1u);
}

TEST(RoundsOrder, UnitsThatDisagreeSayNothing) {
  Rounds run(3);
  run.put(0, unit("f", {}, 1));
  run.put(1, unit("f", {}, 2));
  run.put(2, unit("c", {"f"}));
  EXPECT_THAT(run.next(), IsEmpty());
}

}  // namespace
}  // namespace xfer::analyzer
