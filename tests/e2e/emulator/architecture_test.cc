// The choice among a program's device code on an emulated device.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

Outcome with_capability(const char* program, const std::string& capability) {
  return run_emulated({program}, {"XFERCHECK_OPTIONS=emulate_capability=" + capability});
}

// The program has PTX for 7.5 and 8.6, and machine code for 9.0, which does not run here.
TEST(Architecture, IsThatOfThePtxThatRuns) {
  EXPECT_EQ(run_emulated({XFER_ARCHITECTURES}).out, "cudaSuccess: 86, compiled for 86\n");
  EXPECT_EQ(with_capability(XFER_ARCHITECTURES, "9.0").out, "cudaSuccess: 86, compiled for 86\n");
  EXPECT_EQ(with_capability(XFER_ARCHITECTURES, "8.0").out, "cudaSuccess: 75, compiled for 75\n");
}

TEST(Architecture, OfANewerDeviceRunsUnlessACapabilityIsAskedFor) {
  EXPECT_EQ(run_emulated({XFER_NEWEST_ARCHITECTURE}).out, "cudaSuccess: 120, compiled for 120\n");
  EXPECT_EQ(with_capability(XFER_NEWEST_ARCHITECTURE, "12.0").out,
            "cudaSuccess: 120, compiled for 120\n");
  const Outcome outcome = with_capability(XFER_NEWEST_ARCHITECTURE, "9.0");
  EXPECT_THAT(outcome.out, HasSubstr("compiled for 0\n"));
  EXPECT_THAT(outcome.err, HasSubstr("its PTX is for compute_120 and the device has 9.0"));
}

}  // namespace
}  // namespace xfer::test
