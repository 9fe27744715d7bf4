#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

TEST(Curand, NumbersAreAsTheyAreAskedFor) {
  for (const char* schedule : {"emulate_schedule=eager", "emulate_schedule=lazy"}) {
    const Outcome outcome =
        run_emulated({XFER_CURAND_PROGRAM}, {std::string("XFERCHECK_OPTIONS=") + schedule});
    EXPECT_EQ(outcome.out,
              "uniform: 0.5 0.3\ndouble: 0.5 0.3\nnormal: 5.0 2.0\n"
              "log-normal: 1.1 0.6\n"  // exp(1 / 8), sqrt((exp(1 / 4) - 1) * exp(1 / 4))
              "poisson: 4.0 2.0\noutside: 0\n"
              "same seed: 1\nnext: 1\nother seed: 1\noffset: 1\nhost: 1\n"
              "two dimensions: 0.000 0.500 0.750 0.250 0.000 0.500 0.250 0.750\n"
              "behind them: 0.375 0.875 0.375 0.875\n"
              "from the second on: 0.500 0.750 0.500 0.250\n"
              "normal of Sobol: 5.0 2.0\nscrambled: 0.5 0.3\nother than plain: 1\n"
              "wide: 0 0 8000000000000000 c000000000000000\n"
              "odd in two dimensions: 105\nno dimensions: 104\nnarrow of wide: 103\n"
              "dimensions of others: 103\n"
              "odd: 105\nno generator: 101\npoisson of 0: 104\nno such type: 103\n"
              "destroyed: 0\n"
              "host memory: cudaErrorIllegalAddress\n")
        << schedule;
    EXPECT_THAT(outcome.err, HasSubstr("they are host memory that no device can reach"));
  }
}

}  // namespace
}  // namespace xfer::test
