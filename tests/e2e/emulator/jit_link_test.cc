// nvJitLink and ptxas with device code for emulated devices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "run_program.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kPreloaded = {"LD_PRELOAD=" XFER_EMULATOR_DIR "/libcudart.so.13"};

Outcome linked(const std::string& kind) {
  return run_emulated({XFER_JIT_LINK_PROGRAM, kind}, kPreloaded);
}

Outcome loaded(const std::string& kind) {
  return run_emulated({XFER_JIT_LOAD_PROGRAM, kind, XFER_NVJITLINK, XFER_NVRTC}, kPreloaded);
}

TEST(JitLink, PartsOfPtxBecomeOneModule) {
  for (const Outcome& outcome : {linked("ptx"), loaded("ptx")}) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "2 4 6 8\n");
  }
}

TEST(JitLink, TheOptimizersOutputRuns) {
  for (const Outcome& outcome : {linked("lto"), loaded("lto")}) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "2 4 6 8\n");
  }
}

TEST(JitLink, TheOptimizersOutputCallsPtx) {
  const Outcome outcome = loaded("mixed");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "2 4 6 8\n");
}

TEST(JitLink, NvrtcGivesPtxWhereverItWasLoaded) {
  for (const Outcome& outcome : {linked("machine code"), loaded("machine code")}) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "2 4 6 8\n");
  }
}

TEST(JitLink, WhatIsNoCodeIsRefused) {
  for (const Outcome& outcome : {linked("broken"), loaded("broken")}) {
    EXPECT_EQ(outcome.exit_code, 6);
    EXPECT_THAT(outcome.err, HasSubstr("xfercheck: nvJitLink cannot take part: "));
  }
}

TEST(JitLink, ANameIsDefinedOnce) {
  const Outcome outcome = loaded("twice");
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_THAT(outcome.err, HasSubstr("two definitions of _Z5twicef"));
}

// The first is loaded with the program.
TEST(JitLink, WithoutEmulationNvJitLinkIsAsItIs) {
  const Outcome outcome =
      run_emulated({XFER_JIT_LINK_PROGRAM, "ptx"}, {kPreloaded.front(), "XFERCHECK_EMULATE=0"});
  EXPECT_EQ(outcome.exit_code, 3) << "there is no device for its machine code";
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Outcome ptxas(std::vector<std::string> words) {
  words.insert(words.begin(), XFER_EMULATOR_DIR "/ptxas");
  return run_emulated(words);
}

TEST(Ptxas, LeavesPtxAsItIs) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const std::string input = folder / "ptxas_test.ptx";
  const std::string output = folder / "ptxas_test.o";
  std::ofstream(input) << ".version 8.0\n.target sm_80\n.address_size 64\n";
  EXPECT_EQ(ptxas({"-lineinfo", "-v", "--gpu-name=sm_80", input, "-o", output}).exit_code, 0);
  EXPECT_EQ(content(output), content(input));
}

TEST(Ptxas, SaysAVersionAsNvidiasDoes) {
  EXPECT_THAT(ptxas({"--version"}).out, HasSubstr("release 12.4, V12.4."));
  EXPECT_THAT(run_emulated({XFER_EMULATOR_DIR "/ptxas-blackwell", "--version"}).out,
              HasSubstr("release 12.8, V12.8."));
}

TEST(Ptxas, NamesWhatItCannotDo) {
  const Outcome nothing = ptxas({"-v"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_THAT(nothing.err, HasSubstr("no file of PTX is given"));
  const Outcome missing = ptxas({"/no/such.ptx", "-o", "/no/such.o"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("/no/such.ptx cannot be copied to /no/such.o: "));
}

}  // namespace
}  // namespace xfer::test
