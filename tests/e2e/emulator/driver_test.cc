// The driver library of emulated devices.

#include <gmock/gmock.h>

#include "run_program.h"

namespace xfer::test {
namespace {

TEST(Driver, IsThereForWhoAsks) {
  const Outcome outcome = run_emulated({XFER_DRIVER_PROGRAM}, {"XFERCHECK_EMULATE=2"});
  EXPECT_EQ(outcome.out,
            "init 0, 2 devices, a context\n"
            "cuDeviceGet: 0, 0, there\n"
            "cuDevicePrimaryCtxRelease: 0, 0, there\n"
            "cuMemAlloc: 500, 1, null\n"
            "cuMemAlloc: 801\n"
            "cuMemAlloc: 801\n");
  EXPECT_EQ(outcome.err,
            "xfercheck: cuMemAlloc_v2 is not emulated; it returns CUDA_ERROR_NOT_SUPPORTED\n");
}

}  // namespace
}  // namespace xfer::test
