// Kernels that run from the PTX of a program that nvcc built.

#include <gmock/gmock.h>

#include <string>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

Outcome run(const std::string& act, const std::string& options = "") {
  return run_emulated({XFER_PTX_PROGRAM, act}, {"XFERCHECK_OPTIONS=" + options});
}

TEST(Ptx, KernelsCompute) {
  const Outcome outcome = run("compute");
  EXPECT_EQ(outcome.out, "sum 523776\nlocked 128\n");
  EXPECT_EQ(outcome.err, "");
}

// At the first launch, before there is much to do.
TEST(Ptx, LanesThatCountOnGoingInStepDo) { EXPECT_EQ(run("in step").out, "sum 32640\n"); }

TEST(Ptx, VariablesHaveTheirFirstValues) {
  const Outcome outcome = run("variables");
  EXPECT_EQ(outcome.out, "managed 7\n41 42 s 7, managed 9\ncounter 42\n10\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Ptx, ModulesHaveKernelsAndVariablesOfTheSameName) {
  EXPECT_EQ(run("modules").out, "5.0 30.0 75.0 140.0\n");
}

TEST(Ptx, BlocksOfACooperativeLaunchMeet) {
  EXPECT_EQ(run("cooperative").out,
            "32 blocks\ntogether 6400\ncudaErrorCooperativeLaunchTooLarge\n");
}

TEST(Ptx, KernelsPrint) {
  EXPECT_EQ(run("print").out,
            "thread 0 of block 0: first 1.25\nthread 1 of block 0: first 1.25\n"
            "thread 0 of block 1: second 1.25\nthread 1 of block 1: second 1.25\n");
}

TEST(Ptx, MemoryFromMallocOutlivesTheKernel) { EXPECT_EQ(run("heap").out, "heap 2016\n"); }

TEST(Ptx, ThreadEndsInAFunction) {
  std::string wanted;
  for (int i = 0; i < 64; ++i)
    wanted += std::to_string(i % 2 != 0 ? 1 : i * 10 + (i < 32 || i / 2 % 2 != 0 ? 1 : 0)) + " ";
  for (const char* options : {"", "emulate_warps=always"}) {
    const Outcome outcome = run("ends", options);
    EXPECT_EQ(outcome.out, wanted) << options;
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Ptx, MemoryOfTheStack) {
  for (const char* options : {"", "emulate_warps=always"})
    EXPECT_EQ(run("stack", options).out, "3 9 6240\n") << options;
}

TEST(Ptx, AttributesAreThoseOfTheCode) {
  EXPECT_EQ(run("attributes").out, "shared 128, threads 1024\nthreads 64\ncudaErrorInvalidValue\n");
}

TEST(Ptx, AssertionIsReportedByTheNextCall) {
  const Outcome outcome = run("assert");
  EXPECT_EQ(outcome.out, "cudaErrorAssert\n");
  EXPECT_THAT(outcome.err, HasSubstr("block: [0,0,0], thread: [0,0,0] Assertion `x < 3` failed."));
}

/// Where a kernel failed, of a program that nvcc -lineinfo built.
auto says_where(const std::string& kernel) {
  return ContainsRegex(kernel + ".*, line [0-9]+ of its PTX \\(.*ptx_program.cu:[0-9]+\\): ");
}

TEST(Ptx, TrapIsALaunchFailure) {
  for (const char* options : {"", "emulate_warps=always"}) {
    const Outcome outcome = run("trap", options);
    EXPECT_EQ(outcome.out, "cudaErrorLaunchFailure\n");
    EXPECT_THAT(outcome.err, says_where("traps")) << options;
  }
}

TEST(Ptx, MoreThanTheStackHolds) {
  EXPECT_EQ(run("too_much_stack").out, "cudaErrorLaunchFailure\n");
}

TEST(Ptx, HostPointerIsNotReachable) {
  const Outcome outcome = run("host_pointer");
  EXPECT_EQ(outcome.out, "cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, says_where("follows"));
  EXPECT_THAT(outcome.err, HasSubstr("argument 1 is a pointer to pageable host memory"));
}

TEST(Ptx, KernelThatNeverEndsIsStopped) {
  const Outcome outcome = run("endless", "emulate_kernel_limit=1");
  EXPECT_EQ(outcome.out, "cudaErrorLaunchTimeout\n");
  EXPECT_THAT(outcome.err, HasSubstr("emulate_kernel_limit"));
  EXPECT_THAT(outcome.err, says_where("never_ends"));
  EXPECT_THAT(run("computes_for_ever", "emulate_kernel_limit=1").err,
              says_where("computes_for_ever"));
}

TEST(Ptx, WhatCannotRunIsSkippedAndSaysWhy) {
  const Outcome old = run("compute", "emulate_capability=7.5");
  EXPECT_EQ(old.out, "sum 0\nlocked 0\n");
  EXPECT_THAT(old.err, HasSubstr("2 kernel launches were not executed"));
  EXPECT_THAT(old.err, HasSubstr("compute_80"));
  EXPECT_THAT(run("compute", "emulate_execute=host").err, HasSubstr("it has no host version"));
  EXPECT_THAT(run("compute", "emulate_execute=skip").err, HasSubstr("emulate_execute=skip"));
  EXPECT_THAT(run("compute", "emulate_execute=all").err, HasSubstr("expected ptx, host or skip"));
}

}  // namespace
}  // namespace xfer::test
