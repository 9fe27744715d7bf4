// Programs of the driver API, whose kernels run from PTX that they load.

#include <gmock/gmock.h>

#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

Outcome run(const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment = {}) {
  std::vector<std::string> command{XFER_DRIVER_CALLS_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_emulated(command, environment);
}

TEST(DriverCalls, ModulesKernelsRun) {
  const Outcome outcome = run({"modules", XFER_DRIVER_MODULE});
  EXPECT_EQ(outcome.out,
            "369\n691\ncuLaunchKernel: CUDA_ERROR_INVALID_VALUE\ncounter 43 of 4 bytes\n"
            "cuModuleGetGlobal: CUDA_ERROR_NOT_FOUND\ncuModuleGetFunction: CUDA_ERROR_NOT_FOUND\n"
            "shared 32, grid 264 of 1024\ncuLaunchKernel: CUDA_ERROR_INVALID_HANDLE\n"
            "cuCtxSetCurrent: CUDA_ERROR_INVALID_CONTEXT\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(DriverCalls, BothApisHaveTheSameObjects) {
  const Outcome outcome = run({"mixed", XFER_DRIVER_MODULE});
  EXPECT_EQ(outcome.out,
            "3.0 3.0\nbegin, 4000 bytes\ncuMemFree: CUDA_ERROR_INVALID_VALUE\ncudaSuccess\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(DriverCalls, TextsAreLinked) {
  const Outcome outcome = run({"link", XFER_DRIVER_MODULE_IN_PARTS, XFER_DRIVER_MODULE_PART});
  EXPECT_EQ(outcome.out, "linked 42\ncuLinkComplete: CUDA_ERROR_INVALID_PTX\n");
  EXPECT_THAT(outcome.err, HasSubstr("two definitions of "));
}

TEST(DriverCalls, WhatCannotBeLoadedIsNamed) {
  const Outcome outcome =
      run({"refused", XFER_DRIVER_MODULE}, {"XFERCHECK_OPTIONS=emulate_capability=9.0"});
  EXPECT_EQ(outcome.out,
            "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU\nit is machine code without PTX\n"
            "cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE\n"
            "cuModuleLoadData: CUDA_ERROR_INVALID_VALUE\ncuModuleLoad: CUDA_ERROR_FILE_NOT_FOUND\n"
            "cuModuleUnload: CUDA_ERROR_INVALID_HANDLE\n"
            "cuModuleLoadData: CUDA_ERROR_NO_BINARY_FOR_GPU\n");
  EXPECT_EQ(outcome.err,
            "xfercheck: a module cannot be loaded: it is machine code without PTX; emulated "
            "devices run PTX\n");
}

TEST(DriverCalls, SkippedKernelsAreCounted) {
  const Outcome outcome =
      run({"mixed", XFER_DRIVER_MODULE}, {"XFERCHECK_OPTIONS=emulate_execute=skip"});
  EXPECT_THAT(outcome.out, HasSubstr("1.0 1.0"));
  EXPECT_THAT(outcome.err, HasSubstr("1 x add: emulate_execute=skip"));
}

TEST(DriverCalls, ContextSaysWhichDevice) {
  EXPECT_EQ(run({"contexts"}, {"XFERCHECK_EMULATE=2"}).out,
            "pushed, popped, device 1, the runtime's\n"
            "cuDevicePrimaryCtxRetain: CUDA_ERROR_INVALID_DEVICE\n"
            "none left\ncuCtxPopCurrent: CUDA_ERROR_INVALID_CONTEXT\n");
}

TEST(DriverCalls, MemoryIsCopiedAndFilled) {
  EXPECT_EQ(run({"memory"}).out,
            "1234 1234 0 0\ncuMemsetD16: CUDA_ERROR_INVALID_VALUE\ntype 2\n"
            "cuPointerGetAttribute: CUDA_ERROR_INVALID_VALUE\n"
            "cuMemAlloc: CUDA_ERROR_INVALID_VALUE\ncuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY\n");
}

TEST(DriverCalls, FunctionsAreFoundByVersion) {
  const Outcome outcome = run({"versions"});
  EXPECT_EQ(outcome.out, "found\n") << outcome.err;
}

#ifdef XFER_NVRTC_PROGRAM
TEST(DriverCalls, WhatNvrtcCompilesRuns) {
  const Outcome outcome = run_emulated({XFER_NVRTC_PROGRAM}, {});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "2 4 6 8\n");
}

TEST(DriverCalls, WhatNvrtcCompilesForARealArchitectureRunsWithThePreloadedRuntime) {
  const std::vector<std::string> preloaded = {"LD_PRELOAD=" XFER_EMULATOR_DIR "/libcudart.so.13"};
  const std::vector<std::vector<std::string>> spellings = {
      {"-arch=sm_90"}, {"--gpu-architecture=sm_80"}, {"-std=c++17", "-arch", "sm_90a"}};
  for (std::vector<std::string> command : spellings) {
    command.insert(command.begin(), XFER_NVRTC_PROGRAM);
    const Outcome outcome = run_emulated(command, preloaded);
    EXPECT_EQ(outcome.exit_code, 0) << command.back() << '\n' << outcome.err;
    EXPECT_EQ(outcome.out, "2 4 6 8\n") << command.back();
  }
}
#endif

}  // namespace
}  // namespace xfer::test
