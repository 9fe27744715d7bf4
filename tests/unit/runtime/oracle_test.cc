// The engine against the oracle, on thousands of small random traces.

#include <gtest/gtest.h>

#include "byte_oracle.h"
#include "order_oracle.h"
#include "text_trace.h"

namespace xfer::test {
namespace {

std::map<Reason, std::set<std::uint32_t>> charged(const std::vector<Event>& events) {
  EngineOptions options;
  options.small_bytes = 0;
  options.least_percent = 0;
  options.few_bytes = 0;
  options.least_small_again = 1;
  options.least_sent_again = 1;
  options.least_sent_again_bytes = 1;
  Engine engine(options);
  for (const Event& event : events) engine.add(event);
  std::map<Reason, std::set<std::uint32_t>> sites;
  for (const EngineFinding& finding : engine.finish()) {
    EXPECT_EQ(finding.cost.count, 1u);
    sites[finding.reason].insert(finding.site);
  }
  return sites;
}

TEST(Oracle, AgreesWithTheEngine) {
  std::map<Reason, std::size_t> seen;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    RandomTrace trace = random_trace(seed, 8 + seed % 60);
    auto found = charged(trace.events);
    const auto& elsewhere = found[Reason::kReturnedElsewhere];
    for (const Reason reason :
         {Reason::kHeldAlready, Reason::kDownloadedBefore, Reason::kDownloadedElsewhere,
          Reason::kSentAndReturned, Reason::kReturnedInPlace, Reason::kOverwritten, Reason::kFreed,
          Reason::kNeverRead, Reason::kTooLate, Reason::kHostReads, Reason::kHostWrites,
          Reason::kHostTouchesFreed, Reason::kCopiedToFreed, Reason::kCopiedFromFreed,
          Reason::kFilledFreed, Reason::kFreedTwice, Reason::kOperandElsewhere,
          Reason::kNobodyLooked}) {
      auto expected = trace.expected.exactly[reason];
      // A copy is charged once, and sent back elsewhere comes first.
      for (const std::uint32_t site : elsewhere) expected.erase(site);
      ASSERT_EQ(found[reason], expected)
          << "seed " << seed << ", reason " << static_cast<int>(reason);
      seen[reason] += expected.size();
    }
    for (const Reason reason : {Reason::kHeldElsewhere, Reason::kFreedUnchanged, Reason::kSentAgain,
                                Reason::kReturnedElsewhere}) {
      for (const std::uint32_t site : found[reason])
        ASSERT_TRUE(trace.expected.allowed[reason].contains(site))
            << "seed " << seed << ", reason " << static_cast<int>(reason) << ", copy " << site;
      seen[reason] += found[reason].size();
    }
  }
  // Every reason came up often enough to mean something.
  for (const auto& [reason, count] : seen)
    EXPECT_GE(count, 50u) << "reason " << static_cast<int>(reason);
  EXPECT_EQ(seen.size(), 22u);
}

TEST(OrderOracle, AgreesWithTheEngine) {
  std::map<Reason, std::size_t> seen;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    OrderTrace trace = random_order_trace(seed, 10 + seed % 50);
    auto found = charged(trace.events);
    for (const Reason reason :
         {Reason::kHostReadsPending, Reason::kCopiedPending, Reason::kOverwrittenPending,
          Reason::kLaunchedOverPending, Reason::kLaunchedPending, Reason::kHostWritesPending,
          Reason::kSourceOverwritten, Reason::kLaunchedOver, Reason::kFreedPending}) {
      ASSERT_EQ(found[reason], trace.expected[reason])
          << "seed " << seed << ", reason " << static_cast<int>(reason);
      seen[reason] += trace.expected[reason].size();
    }
  }
  for (const auto& [reason, count] : seen)
    EXPECT_GE(count, 500u) << "reason " << static_cast<int>(reason);
}

}  // namespace
}  // namespace xfer::test
