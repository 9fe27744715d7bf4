// Programs and libraries that have NVIDIA's CUDA runtime linked in, on emulated devices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class StaticRuntimeTest : public TraceTest {
 protected:
  CommandResult emulated(const std::vector<std::string>& program) {
    std::vector<std::string> words = {"--emulate"};
    words.insert(words.end(), program.begin(), program.end());
    return xfertrace(words);
  }
};

constexpr const char* kRight = "sum 192, no error\n";

TEST_F(StaticRuntimeTest, InTheProgram) {
  const CommandResult result = emulated({XFER_STATIC_PROGRAM});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kRight);
  EXPECT_THAT(result.err, AllOf(HasSubstr("kernels:     1 executed\n"),
                                HasSubstr("uploads 128 bytes"), Not(HasSubstr("xfercheck:"))));
}

TEST_F(StaticRuntimeTest, InALibraryOfTheProgram) {
  const CommandResult result = emulated({XFER_PROGRAM_OF_LIBRARY});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kRight);
  EXPECT_THAT(result.err, HasSubstr("kernels:     1 executed\n"));
}

TEST_F(StaticRuntimeTest, InAProgramThatWasStripped) {
  const CommandResult result = emulated({XFER_SEALED_PROGRAM});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "") << "it must not run";
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("no symbols"), HasSubstr("-cudart shared")));
}

TEST_F(StaticRuntimeTest, WithThePreloadedRuntimeAlone) {
  const CommandResult result =
      run_command({XFER_STATIC_PROGRAM},
                  {{"LD_PRELOAD", XFER_EMULATED_CUDART},
                   {"LD_LIBRARY_PATH", std::filesystem::path(XFER_EMULATED_CUDART).parent_path()},
                   {"XFERCHECK_EMULATE", "1"}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kRight);
}

TEST_F(StaticRuntimeTest, ItsOwnIsUsedWhereNobodyAsksForEmulation) {
  const CommandResult result =
      run_command({XFER_STATIC_PROGRAM}, {{"LD_PRELOAD", XFER_EMULATED_CUDART}});
  EXPECT_NE(result.out, kRight);
}

TEST_F(StaticRuntimeTest, WithoutThePreloadedRuntimeItSaysHow) {
  const CommandResult result =
      run_command({XFER_STATIC_PROGRAM},
                  {{"LD_LIBRARY_PATH", std::filesystem::path(XFER_EMULATED_CUDART).parent_path()},
                   {"XFERCHECK_EMULATE", "1"}});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(lines(result.err), 1U) << result.err;
  EXPECT_THAT(result.err, HasSubstr("start it with xfertrace --emulate"));
}

// The program has the library itself from the start: a copy is another one.
TEST_F(StaticRuntimeTest, InALibraryThatIsLoadedLater) {
  const std::string copy = file("copy.so");
  std::filesystem::copy_file(XFER_RUNTIME_LIBRARY, copy);
  const CommandResult result = emulated({XFER_PROGRAM_OF_LIBRARY, "late", copy});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kRight);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("kernels:     1 executed\n"), Not(HasSubstr("xfercheck:"))));
}

TEST_F(StaticRuntimeTest, InALibraryThatIsLoadedAgain) {
  const std::string copy = file("copy.so");
  std::filesystem::copy_file(XFER_RUNTIME_LIBRARY, copy);
  const CommandResult result = emulated({XFER_PROGRAM_OF_LIBRARY, "late", copy, copy});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, std::string(kRight) + kRight);
}

TEST_F(StaticRuntimeTest, OneThatWasStrippedAndIsLoadedLaterIsNamed) {
  const std::string copy = file("copy.so");
  ASSERT_EQ(run_command({"strip", "-o", copy, XFER_RUNTIME_LIBRARY}).exit_code, 0);
  const CommandResult result = emulated({XFER_PROGRAM_OF_LIBRARY, "late", copy});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr(copy + " links the CUDA runtime statically: its CUDA calls fail"));
}

}  // namespace
}  // namespace xfer::test
