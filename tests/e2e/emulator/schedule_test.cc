#include <gmock/gmock.h>

#include <set>

#include "run_program.h"

namespace xfer::test {
namespace {

const char* const kSchedules[] = {
    "emulate_schedule=eager", "emulate_schedule=lazy", "emulate_schedule=random:emulate_seed=1",
    "emulate_schedule=random:emulate_seed=2", "emulate_schedule=random:emulate_seed=3"};

TEST(Schedule, RightProgramsAreRightUnderAll) {
  const std::pair<const char*, const char*> expected[] = {
      {"in-place", "result: 42\n"},
      {"no-race", "read: 7\n"},
      {"default-stream", "read: 9\n"},
      {"polling", "read: 3\n"},
      {"host-function", "calls: 2\n"},
      {"pageable-reuse", "device has: 1\n"},
      {"threads", "right: 160\n"},
      {"stream-ordered",
       "malloc: cudaSuccess\nfill: cudaSuccess\nfree: cudaSuccess\nfree again: "
       "cudaErrorInvalidValue\nsync: cudaSuccess\ndestroy: cudaSuccess\ndestroy again: "
       "cudaErrorInvalidResourceHandle\n"},
  };
  for (const auto& [act, output] : expected) {
    for (const char* schedule : kSchedules) {
      EXPECT_EQ(run_with_kernels(act, schedule).out, output) << act << " " << schedule;
    }
  }
}

TEST(Schedule, ATooEarlyReadFailsEveryTimeUnderLazy) {
  EXPECT_EQ(run_with_kernels("early-read", "emulate_schedule=eager").out,
            "early right: 1, late: 5\n");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(run_with_kernels("early-read", "emulate_schedule=lazy").out,
              "early right: 0, late: 5\n");
  }
}

TEST(Schedule, ASourceThatIsOverwrittenTooEarlyIsSeenUnderLazy) {
  EXPECT_EQ(run_with_kernels("pinned-reuse", "emulate_schedule=eager").out, "device has: 1\n");
  EXPECT_EQ(run_with_kernels("pinned-reuse", "emulate_schedule=lazy").out, "device has: 2\n");
}

TEST(Schedule, ARaceBetweenStreamsIsSeenUnderLazyAndReplaysFromASeed) {
  EXPECT_EQ(run_with_kernels("race", "emulate_schedule=lazy").out, "read: 0\n");
  std::set<std::string> seen;
  for (int seed = 1; seed <= 12; ++seed) {
    const std::string options = "emulate_schedule=random:emulate_seed=" + std::to_string(seed);
    const std::string first = run_with_kernels("race", options).out;
    EXPECT_EQ(run_with_kernels("race", options).out, first);
    seen.insert(first);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"read: 0\n", "read: 7\n"}));
}

TEST(Schedule, TimesAreTheSameInEveryRunAndUnderEverySchedule) {
  std::set<std::string> times;
  for (const char* schedule : kSchedules) {
    const std::string out = run_with_kernels("timing", schedule).out;
    times.insert(out.substr(out.find("ms: ")));
  }
  EXPECT_EQ(times.size(), 1u);
  EXPECT_THAT(*times.begin(), ::testing::MatchesRegex("ms: 0\\.0[0-9]*[1-9][0-9]*\n"));
}

}  // namespace
}  // namespace xfer::test
