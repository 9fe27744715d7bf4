// Which units are analysed again when units tell each other what their functions do.

#include "analyzer/driver/cross_file.h"

#include <gmock/gmock.h>

namespace xfer::lint {
namespace {

using analyzer::Summary;
using analyzer::UnitSummaries;
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

std::vector<std::size_t> units(const std::vector<CrossFile::Again>& again) {
  std::vector<std::size_t> result;
  for (const CrossFile::Again& one : again) result.push_back(one.unit);
  return result;
}

TEST(CrossFileOrder, NobodyRunsAgainForNothing) {
  CrossFile run({}, {"a.cc", "b.cc", "c.cc"});
  run.put(0, unit("a", {"elsewhere"}));
  run.put(1, unit("b"));
  // c.cc failed.
  EXPECT_THAT(run.next(), IsEmpty());
}

TEST(CrossFileOrder, CalleesComeFirstAndEachCallerOnce) {
  CrossFile run({}, {"a.cc", "b.cc", "c.cc", "d.cc"});
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

TEST(CrossFileOrder, WhatCameUnchangedIsNotToldAgain) {
  CrossFile run({}, {"a.cc", "b.cc", "c.cc"});
  run.put(0, unit("a", {"b"}));
  run.put(1, unit("b", {"c"}));
  run.put(2, unit("c"));
  EXPECT_THAT(units(run.next()), ElementsAre(1));
  run.put(1, unit("b", {"c"}));
  EXPECT_THAT(units(run.next()), ElementsAre(0));
  run.put(0, unit("a", {"b"}));
  EXPECT_THAT(run.next(), IsEmpty());
}

TEST(CrossFileOrder, ARingEnds) {
  CrossFile run({}, {"a.cc", "b.cc"});
  run.put(0, unit("a", {"b"}));
  run.put(1, unit("b", {"a"}));
  unsigned runs = 0;
  for (auto again = run.next(); !again.empty(); again = run.next()) {
    ASSERT_LT(++runs, 20u);
    // Each learns something new each time.
    for (const CrossFile::Again& one : again)
      run.put(one.unit, one.unit == 0 ? unit("a", {"b"}, runs + 1) : unit("b", {"a"}, runs + 1));
  }
  EXPECT_GT(runs, 1u);
}

TEST(CrossFileOrder, WhatWasSaidBeforeTheRun) {
  const SummarisedUnit other{"other.cc", {}, unit("other")};
  const SummarisedUnit old{"b.cc", {}, unit("b", {}, 7)};
  CrossFile run({other, old}, {"a.cc", "b.cc"});
  run.put(0, unit("a", {"b", "other"}));
  run.put(1, unit("b"));
  // a.cc was told of both; of b.cc the run knows better.
  const auto again = run.next();
  ASSERT_THAT(units(again), ElementsAre(0));
  EXPECT_EQ(again.front().others.functions.at("b").summary, known());
  EXPECT_EQ(again.front().others.functions.at("other").summary, known());
}

TEST(CrossFileOrder, UnitsThatDisagreeSayNothing) {
  CrossFile run({}, {"a.cc", "b.cc", "c.cc"});
  run.put(0, unit("f", {}, 1));
  run.put(1, unit("f", {}, 2));
  run.put(2, unit("c", {"f"}));
  EXPECT_THAT(run.next(), IsEmpty());
}

}  // namespace
}  // namespace xfer::lint
