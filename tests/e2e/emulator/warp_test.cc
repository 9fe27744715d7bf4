// The same kernels, thread by thread and warp by warp.

#include <gmock/gmock.h>

#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

constexpr const char* kAll =
    "collatz\ndivide\nsort\nmultiply 8\nmultiply 16\nmultiply 32\nshuffle\nvote\ncount\nplaces\n"
    "sums\npresent\nbytes\nshare twice\ngather twice\n";

Outcome run(const std::string& options) {
  return run_emulated({XFER_WARP_PROGRAM}, {"XFERCHECK_OPTIONS=" + options});
}

TEST(Warps, ThreadsComputeOneByOne) {
  const Outcome outcome = run("emulate_warps=never");
  EXPECT_EQ(outcome.out, kAll);
  EXPECT_EQ(outcome.err, "");
}

TEST(Warps, LanesComputeInStep) {
  const Outcome outcome = run("emulate_warps=always");
  EXPECT_EQ(outcome.out, kAll);
  EXPECT_EQ(outcome.err, "");
}

TEST(Warps, BlocksComputeSideBySide) {
  for (const char* warps : {"always", "never"}) {
    const Outcome outcome = run(std::string("emulate_threads=3:emulate_warps=") + warps);
    EXPECT_EQ(outcome.out, kAll);
    EXPECT_EQ(outcome.err, "");
  }
}

// Lanes that wait for each other cannot do so in step, nor blocks for those behind them.
TEST(Warps, ThoseThatWaitInLoopsGetThere) {
  constexpr const char* kTurn =
      "keep\noften\nask and answer\nlater block\nlook back\nmeet\ngreatest\ntake\n";
  for (const char* options : {"emulate_warps=never", "emulate_warps=always", "emulate_warps=auto",
                              "emulate_warps=always:emulate_threads=3"}) {
    const Outcome outcome = run_emulated(
        {XFER_WAIT_PROGRAM}, {std::string("XFERCHECK_OPTIONS=emulate_kernel_limit=60:") + options});
    EXPECT_EQ(outcome.out, std::string(kTurn) + kTurn) << options;
    EXPECT_EQ(outcome.err, "") << options;
  }
}

TEST(Warps, OptionIsOneOfThree) {
  EXPECT_THAT(run("emulate_warps=2").err, testing::HasSubstr("expected auto, always or never"));
  EXPECT_THAT(run("emulate_threads=0").err, testing::HasSubstr("expected 1 to 256"));
}

}  // namespace
}  // namespace xfer::test
