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
            "cuMemCreate: 500, 1, null\n"
            "cuMemCreate: 801\n"
            "cuMemCreate: 801\n");
  EXPECT_EQ(outcome.err,
            "xfercheck: cuMemCreate is not emulated; it returns CUDA_ERROR_NOT_SUPPORTED\n");
}

}  // namespace
}  // namespace xfer::test
