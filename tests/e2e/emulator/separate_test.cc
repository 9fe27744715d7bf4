// Programs that nvcc -rdc=true compiled file by file.

#include <gmock/gmock.h>

#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

constexpr const char* kPrinted =
    "functions 60 10 25 4\n"
    "variables 41 40 7 3\n"
    "managed 8\n"
    "variables 20 40 8 4\n"
    "counter 21\n"
    "hidden 11 27 8 4\n";

TEST(Separate, KernelsUseWhatOtherFilesDefine) {
  const Outcome outcome = run_emulated({XFER_SEPARATE_PROGRAM});
  EXPECT_EQ(outcome.out, kPrinted);
  EXPECT_EQ(outcome.err, "");
}

// nvlink then adds the device runtime library, whose PTX is for newer devices.
TEST(Separate, KernelsOfAStaticLibraryWithPtxAlone) {
  const Outcome outcome = run_emulated({XFER_SEPARATE_PTX_PROGRAM});
  EXPECT_EQ(outcome.out, kPrinted);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(
      run_emulated({XFER_SEPARATE_PTX_PROGRAM}, {"XFERCHECK_OPTIONS=emulate_capability=12.1"}).out,
      kPrinted);
}

TEST(Separate, WhatNoFileDefinesIsNamed) {
  EXPECT_THAT(run_emulated({XFER_SEPARATE_PROGRAM, "launch"}).err,
              HasSubstr("no module of the program has the function `"));
}

TEST(Separate, PtxForAnotherDeviceIsNamed) {
  EXPECT_THAT(
      run_emulated({XFER_SEPARATE_PROGRAM}, {"XFERCHECK_OPTIONS=emulate_capability=7.5"}).err,
      HasSubstr("its PTX is for compute_80 and the device has 7.5"));
}

}  // namespace
}  // namespace xfer::test
