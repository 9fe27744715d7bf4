// Kernels that wait for the host.

#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

constexpr const char* kSchedules[] = {"emulate_schedule=eager", "emulate_schedule=lazy",
                                      "emulate_schedule=random"};

Outcome run(const std::string& act, const std::string& options) {
  return run_emulated({XFER_HOST_WAIT_PROGRAM, act},
                      {"XFERCHECK_OPTIONS=emulate_kernel_limit=20:" + options});
}

void expect(const std::string& act, const std::string& out) {
  for (const char* schedule : kSchedules) {
    const Outcome outcome = run(act, schedule);
    EXPECT_EQ(outcome.out, out) << schedule;
    EXPECT_EQ(outcome.err, "") << schedule;
  }
}

TEST(HostWait, ForAFlag) { expect("flag", "launched 1\nanswer 30\n"); }

TEST(HostWait, ForAnswersToAnswers) {
  EXPECT_EQ(run("handshake", "emulate_schedule=eager").out, "answered 5\n");
}

TEST(HostWait, WhileTheHostAsks) { expect("query", "early 0, answer 10\n"); }

TEST(HostWait, ForOtherStreams) { expect("streams", "copied 10\nset 40 40\n"); }

TEST(HostWait, ForAThreadThatMakesCalls) { expect("thread", "answer 10\n"); }

TEST(HostWait, ProgramNeedNotWaitForTheKernel) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run("forsaken", "").out, "over\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST(HostWait, WithinTheLimit) {
  const Outcome outcome =
      run_emulated({XFER_HOST_WAIT_PROGRAM, "never"}, {"XFERCHECK_OPTIONS=emulate_kernel_limit=1"});
  EXPECT_EQ(outcome.out, "cudaErrorLaunchTimeout\n");
  EXPECT_THAT(outcome.err, HasSubstr("of its PTX"));
}

}  // namespace
}  // namespace xfer::test
