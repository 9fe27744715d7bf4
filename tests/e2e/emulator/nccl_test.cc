// Programs of NCCL, with one thread for all devices, a thread for each and a process for each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kWays[] = {"thread", "threads", "processes"};
constexpr const char* kSchedules[] = {"eager", "lazy", "random"};

Outcome run_nccl(const std::string& act, const std::string& way = "thread",
                 const std::string& schedule = "eager") {
  return run_emulated({"/usr/bin/env", "timeout", "-s", "KILL", "120", XFER_NCCL_PROGRAM, act, way},
                      {"XFERCHECK_EMULATE=4", "XFERCHECK_OPTIONS=emulate_schedule=" + schedule});
}

/// All lines are `line`; "part: right" and the like.
void expect_right(const std::string& act, std::size_t least) {
  for (const char* way : kWays) {
    for (const char* schedule : kSchedules) {
      const Outcome outcome = run_nccl(act, way, schedule);
      SCOPED_TRACE(act + " " + way + " " + schedule);
      EXPECT_EQ(outcome.exit_code, 0);
      EXPECT_EQ(outcome.err, "");
      EXPECT_THAT(outcome.out, Not(HasSubstr("WRONG")));
      std::size_t right = 0;
      for (std::size_t at = 0; (at = outcome.out.find("right\n", at)) != std::string::npos; ++at)
        ++right;
      EXPECT_GE(right, least) << outcome.out;
    }
  }
}

TEST(Nccl, CollectivesOfEachWayGiveTheRightNumbers) {
  for (const char* way : kWays) {
    const Outcome outcome = run_nccl("collectives", way);
    EXPECT_EQ(outcome.out,
              std::string(way) == "thread" ? "right\n" : "right\nright\nright\nright\n")
        << way << outcome.err;
  }
}

TEST(Nccl, CollectivesComeInTheEnd) {
  EXPECT_EQ(run_nccl("collectives", "thread", "lazy").out, "right\n");
  EXPECT_EQ(run_nccl("collectives", "thread", "random").out, "right\n");
}

TEST(Nccl, SendsReachTheirReceivers) { expect_right("sends", 2); }
TEST(Nccl, SplitsAreCommunicators) { expect_right("splits", 7); }
TEST(Nccl, GraphsReplay) { expect_right("graphs", 8); }
TEST(Nccl, OneCommunicatorKeepsItsOrderInSeveralStreams) { expect_right("streams", 4); }

TEST(Nccl, MisuseIsNamed) {
  EXPECT_EQ(
      run_nccl("misuse").out,
      "no communicator: invalid argument: ncclAllReduce was given a null communicator\n"
      "no type: invalid argument: ncclAllReduce: 12 is not a data type\n"
      "no reduction: invalid argument: ncclAllReduce: 9 is not a reduction\n"
      "no rank: invalid argument: ncclBcast: expected a rank below 1, got 1\n"
      "no group: invalid usage: ncclGroupEnd without ncclGroupStart\n"
      "a group with a wrong call: invalid argument: ncclBcast: expected a rank below 1, got 1\n"
      "rank 2 of 2: invalid argument: ncclCommInitRank was given rank 2 of 2\n"
      "no id: invalid argument: the ncclUniqueId does not come from the emulated NCCL's "
      "ncclGetUniqueId\n"
      "a device twice: invalid usage: ncclCommInitAll was given device 0 twice\n"
      "another device's stream: CUDA's error: cudaLaunchKernel failed: invalid resource "
      "handle\n"
      "destroyed: invalid argument: ncclAllReduce was given an invalid or destroyed communicator\n"
      "version 23007, remote process exited or there was a network error\n");
}

TEST(Nccl, RanksThatDifferAreNamed) {
  for (const char* way : kWays) {
    const Outcome outcome = run_nccl("differing", way);
    EXPECT_EQ(outcome.out,
              "async error: invalid usage\nfurther calls: invalid usage\n"
              "async error: invalid usage\nfurther calls: invalid usage\n")
        << way;
    EXPECT_THAT(outcome.err, HasSubstr("ranks differ in what they call: rank ")) << way;
    EXPECT_THAT(outcome.err, HasSubstr("rank 0 ncclAllReduce of 4 float32 (sum)")) << way;
    EXPECT_THAT(outcome.err, HasSubstr("rank 1 ncclAllReduce of 8 float32 (max)")) << way;
  }
}

TEST(Nccl, NobodyWaitsForTheDead) {
  const Outcome outcome = run_nccl("dead_peer");
  EXPECT_EQ(outcome.out, "async error: remote error\na process ended with 9\n");
  EXPECT_THAT(outcome.err, HasSubstr("waits for rank 1, whose process "));
}

TEST(Nccl, NobodyWaitsForThoseWhoAbort) {
  const Outcome outcome = run_nccl("aborted");
  EXPECT_EQ(outcome.out, "async error: remote error\n");
  EXPECT_THAT(outcome.err, HasSubstr("waits for rank 1, which aborted the communicator"));
}

TEST(Nccl, NobodyWaitsForThoseWhoLeft) {
  const Outcome outcome = run_nccl("gone");
  EXPECT_EQ(outcome.out, "async error: remote error\n");
  EXPECT_THAT(outcome.err, HasSubstr("waits for rank 1, "));
}

TEST(Nccl, EachRankNeedsADevice) {
  const Outcome outcome = run_nccl("same_device");
  EXPECT_EQ(outcome.out, "invalid usage\n");
  EXPECT_THAT(outcome.err, HasSubstr("ranks 0 and 1 both use device 0"));
}

}  // namespace
}  // namespace xfer::test
