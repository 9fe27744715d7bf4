#include <gmock/gmock.h>
#include <signal.h>

#include "run_program.h"

namespace xfer::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Program, AKernelWithoutAHostVersionIsSkippedAndNamed) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "add"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "launch: cudaSuccess\nsync: cudaSuccess\nsum: 0\nfree: cudaSuccess\n");
  EXPECT_THAT(outcome.err,
              AllOf(StartsWith("xfercheck: program::add(program::Vectors, int) is not executed"),
                    HasSubstr("1 kernel launch was not executed; its outputs hold old data"),
                    HasSubstr("1 x program::add(program::Vectors, int)")));
}

TEST(Program, NewMemoryHoldsZerosOrNaNs) {
  EXPECT_EQ(run_emulated({XFER_PROGRAM, "reuse"}).out, "after another owner: 0\n");
  EXPECT_THAT(run_emulated({XFER_PROGRAM, "reuse"}, {"XFERCHECK_OPTIONS=emulate_missing=nan"}).out,
              ContainsRegex("after another owner: -?nan\n"));
}

TEST(Program, AKernelWithAHostVersionComputes) {
  const Outcome outcome = run_with_kernels("add");
  EXPECT_THAT(outcome.out, HasSubstr("sum: 3\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

// A library that has variants for several architectures chooses by what the program was built for.
TEST(Program, WithoutTheVariableThereIsNoDevice) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "devices"}, {"XFERCHECK_EMULATE="});
  EXPECT_EQ(outcome.out,
            "count: cudaErrorNoDevice\ndevices: 0\nno such device: cudaErrorNoDevice\n");
}

TEST(Program, AHostTouchOfDeviceMemoryTrapsAndSaysWhere) {
  for (const char* act : {"read", "write"}) {
    const Outcome outcome = run_emulated({XFER_PROGRAM, act});
    EXPECT_EQ(outcome.out, "about to touch\n");
#if !defined(__SANITIZE_THREAD__)  // which ends the program in its own way
    EXPECT_EQ(outcome.signal, SIGSEGV);
#endif
#if defined(__x86_64__)
    EXPECT_THAT(outcome.err, HasSubstr(std::string("xfercheck: host ") + act));
#endif
    EXPECT_THAT(
        outcome.err,
        ContainsRegex("of device memory: 0x[0-9a-f]+ lies 12 bytes into a 4000-byte allocation "
                      "on emulated cuda:0"));
  }
}

TEST(Program, EightDevicesHoldTheirOwnData) {
  const Outcome outcome = run_emulated(
      {XFER_PROGRAM, "devices"},
      {"XFERCHECK_EMULATE=8", "XFERCHECK_OPTIONS=emulate_capability=8.6:emulate_memory=64m"});
  for (int i = 0; i < 8; ++i) {
    EXPECT_THAT(outcome.out, HasSubstr(std::to_string(i) + " holds " + std::to_string(i) +
                                       ", capability 8.6\n"));
  }
  EXPECT_THAT(outcome.out, HasSubstr("no such device: cudaErrorInvalidDevice"));
}

TEST(Program, ADeviceThatIsFullSaysSoAndIsUsableAfterAFree) {
  const Outcome outcome =
      run_emulated({XFER_PROGRAM, "oom"}, {"XFERCHECK_OPTIONS=emulate_memory=100m"});
  EXPECT_EQ(outcome.out,
            "blocks: 6\nlast error: cudaErrorMemoryAllocation\ncleared: cudaSuccess\n"
            "again: cudaSuccess\n");
}

TEST(Program, MistakesGetTheErrorThatCudaGives) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "errors"});
  EXPECT_EQ(outcome.out,
            "too long up: cudaErrorInvalidValue\n"
            "too long down: cudaErrorInvalidValue\n"
            "too long fill: cudaErrorInvalidValue\n"
            "to host as to device: cudaErrorInvalidValue\n"
            "from host as from device: cudaErrorInvalidValue\n"
            "host to host: cudaSuccess\n"
            "no shape: cudaErrorInvalidConfiguration\n"
            "block too large: cudaErrorInvalidConfiguration\n"
            "free inside: cudaErrorInvalidValue\n"
            "free host: cudaErrorInvalidValue\n"
            "free: cudaSuccess\n"
            "free twice: cudaErrorInvalidValue\n"
            "use freed: cudaErrorInvalidValue\n"
            "free null: cudaSuccess\n"
            "no stream: cudaErrorInvalidResourceHandle\n"
            "invalid argument; out of memory\n");
}

TEST(Program, WhatIsNotEmulatedNamesItself) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "unsupported"});
  EXPECT_EQ(outcome.out, "event: cudaErrorNotSupported\n");
  EXPECT_EQ(outcome.err,
            "xfercheck: cudaIpcGetEventHandle is not emulated; it returns cudaErrorNotSupported\n");
}

TEST(Program, OptionsThatAreWrongAreSaidAndTheProgramRuns) {
  const Outcome outcome =
      run_emulated({XFER_PROGRAM, "pitched"}, {"XFERCHECK_OPTIONS=emulate_schedule=soon"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            "xfercheck: XFERCHECK_OPTIONS: emulate_schedule=soon: expected eager, lazy or random; "
            "the default is used\n");
}

TEST(Program, PitchedCopiesKeepTheirGaps) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "pitched"});
  EXPECT_EQ(outcome.out,
            "pitch: cudaSuccess\nup: cudaSuccess\nfill: cudaSuccess\ndown: cudaSuccess\n0 50 999\n"
            "narrow pitch: cudaErrorInvalidPitchValue\n");
}

TEST(Program, TexturesAreOfLinearMemory) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "texture"});
  EXPECT_EQ(outcome.out,
            "volume: cudaSuccess\n1 100 10\nlast row: cudaSuccess\ntexture: cudaSuccess\n"
            "ask: cudaSuccess\n1 32\ndestroy: cudaSuccess\nask: cudaErrorInvalidValue\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Program, VariablesLiveOnTheDevice) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "variables"});
  EXPECT_EQ(outcome.out,
            "to symbol: cudaSuccess\nfrom symbol: cudaSuccess\nvalue: 42\nmanaged: 7\n"
            "past the end: cudaErrorInvalidValue\nno symbol: cudaErrorInvalidSymbol\n");
}

TEST(Program, PeersCopyAndAccessEachOther) {
  EXPECT_EQ(run_with_kernels("peer", "", "2").out,
            "can access: 1\npeer copy: cudaSuccess\ncopied: 4\nenable: cudaSuccess\n"
            "kernel: cudaSuccess\n");
  EXPECT_THAT(run_emulated({XFER_PROGRAM, "peer"},
                           {"XFERCHECK_EMULATE=2", "XFERCHECK_OPTIONS=emulate_peer=0"})
                  .out,
              AllOf(HasSubstr("can access: 0\npeer copy: cudaSuccess\ncopied: 4\n"),
                    HasSubstr("enable: cudaErrorPeerAccessUnsupported\n")));
}

#if !defined(__SANITIZE_THREAD__)  // its signal handling comes before ours
TEST(Program, AKernelThatTouchesAnotherDevicesMemoryLosesItsOwn) {
  const Outcome outcome = run_with_kernels("no-peer-kernel", "", "2");
  EXPECT_EQ(outcome.out,
            "kernel: cudaErrorIllegalAddress\nafterwards: cudaErrorIllegalAddress\n"
            "last error: cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("lies 0 bytes into a 4000-byte allocation on emulated "
                                           "cuda:1"),
                                 HasSubstr("in program::copy(float const*, float*, int): kernel "),
                                 Not(HasSubstr("host "))));
}

TEST(Program, AKernelThatFollowsAPointerItWasNotGivenIsCaught) {
  const Outcome outcome = run_with_kernels("wild-pointer");
  EXPECT_EQ(outcome.out, "kernel: cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, HasSubstr("in program::follow(float* const*)"));
}

TEST(Program, AHostPointerGivenToAKernelIsCaughtWhenItIsFollowed) {
  const Outcome outcome = run_with_kernels("host-pointer");
  EXPECT_EQ(outcome.out, "kernel: cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, HasSubstr("argument 1 is a pointer to pageable host memory"));
  EXPECT_EQ(run_with_kernels("unused-host-pointer").out, "kernel: cudaSuccess\n");
}
#endif

TEST(Program, AResetDeviceIsAsNew) {
  EXPECT_EQ(run_emulated({XFER_PROGRAM, "reset"}).out,
            "reset: cudaSuccess\nstale: cudaErrorInvalidValue\nall free: 1\nvalue: 0\n");
}

TEST(Program, AForkedChildIsToldThatItCannot) {
  const Outcome outcome = run_emulated({XFER_PROGRAM, "fork"});
  EXPECT_EQ(outcome.out,
            "child malloc: cudaErrorInitializationError\nchild exited: 3, parent reads 6\n");
}

TEST(Program, ManyThreadsOnManyDevices) {
  EXPECT_EQ(run_with_kernels("threads", "", "2").out, "right: 160\n");
}

TEST(Program, PerThreadDefaultStreamsAreTheThreadsOwn) {
  const Outcome outcome = run_emulated(
      {XFER_PROGRAM_PTDS, "add"},
      {"XFERCHECK_OPTIONS=emulate_schedule=lazy:emulate_kernels=" XFER_PROGRAM_KERNELS});
  EXPECT_THAT(outcome.out, HasSubstr("sum: 3\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

}  // namespace
}  // namespace xfer::test
