// The environment that `xfertrace --emulate` sets for compilers of kernels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CompilersTest : public TraceTest {
 protected:
  /// The shell's output when it echoes these words.
  std::string said(const std::string& words,
                   const std::map<std::string, std::string>& environment = {}) {
    return xfertrace({"--emulate", "sh", "-c", "echo " + words}, environment).out;
  }
};

TEST_F(CompilersTest, TritonFindsAnAssemblerThatLeavesPtx) {
  EXPECT_THAT(said("$($TRITON_PTXAS_PATH --version)"), StartsWith("ptxas: xfercheck's"));
  EXPECT_THAT(said("$($TRITON_PTXAS_BLACKWELL_PATH --version)"), HasSubstr("release 12.8"));
  EXPECT_THAT(said("$(ls $TRITON_LIBCUDA_PATH/libcuda.so.1)"), HasSubstr("emulator/libcuda.so.1"));
}

TEST_F(CompilersTest, TritonCompilesForWhatTheDeviceRuns) {
  EXPECT_EQ(said("$TRITON_OVERRIDE_ARCH"), "sm89\n");
  EXPECT_EQ(said("$TRITON_OVERRIDE_ARCH", {{"TRITON_OVERRIDE_ARCH", "sm80"}}), "sm80\n");
  EXPECT_EQ(said("[$TRITON_OVERRIDE_ARCH]", {{"XFERCHECK_OPTIONS", "emulate_capability=12.0"}}),
            "[]\n");
}

TEST_F(CompilersTest, CupyKeepsPtxApart) {
  EXPECT_EQ(said("$CUPY_CACHE_DIR", {{"XDG_CACHE_HOME", "/caches"}}), "/caches/xfercheck/cupy\n");
  EXPECT_EQ(said("$CUPY_CACHE_DIR", {{"XDG_CACHE_HOME", ""}, {"HOME", "/home/me"}}),
            "/home/me/.cache/xfercheck/cupy\n");
  EXPECT_EQ(said("$CUPY_CACHE_DIR", {{"CUPY_CACHE_DIR", "/mine"}}), "/mine\n");
}

TEST_F(CompilersTest, NothingIsSetWithoutEmulation) {
  EXPECT_EQ(xfertrace({"sh", "-c", "echo [$TRITON_PTXAS_PATH$CUPY_CACHE_DIR]"}).out, "[]\n");
}

}  // namespace
}  // namespace xfer::test
