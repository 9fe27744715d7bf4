// The interpreters that PythonStacks reads, by their own names. This program stands for them: it
// has the names that PythonStacks looks for.

#include <gtest/gtest.h>

#include <string>

#include "xfer/python_stack.h"

namespace {
std::string version;
}

extern "C" {
#define XFER_OF_PYTHON __attribute__((visibility("default"), used))
XFER_OF_PYTHON const char* Py_GetVersion() { return version.c_str(); }
XFER_OF_PYTHON void* PyGILState_GetThisThreadState() { return nullptr; }
XFER_OF_PYTHON void* PyThreadState_GetUnchecked() { return nullptr; }
XFER_OF_PYTHON int Py_IsFinalizing() { return 0; }
XFER_OF_PYTHON char PyCode_Type[8];
XFER_OF_PYTHON char PyUnicode_Type[8];
XFER_OF_PYTHON char PyBytes_Type[8];
XFER_OF_PYTHON char _Py_NoneStruct[8];
}

namespace xfer {
namespace {

bool is_read(const std::string& says) {
  version = says;
  PythonStacks stacks;
  stacks.find();
  EXPECT_EQ(stacks.version(), says.substr(0, says.find(' ')));
  return stacks.readable();
}

TEST(PythonVersion, KnownOnes) {
  EXPECT_TRUE(is_read("3.9.18 (main, Jan  1 2024, 00:00:00) [GCC 12.2.0]"));
  EXPECT_TRUE(is_read("3.13.0 (main, Oct  7 2024, 00:00:00) [GCC 12.2.0]"));
  EXPECT_TRUE(is_read("3.14.0 (main, Oct  7 2025, 00:00:00) [GCC 15.2.0]"));
  EXPECT_TRUE(is_read("3.14.0rc2+ (main, Aug 14 2025, 00:00:00) [Clang 21.1.0 ]"));
}

// Their objects begin with other fields.
TEST(PythonVersion, FreeThreadedOnes) {
  EXPECT_FALSE(
      is_read("3.13.0 experimental free-threading build (main, Oct  7 2024) [GCC 12.2.0]"));
  EXPECT_FALSE(is_read("3.14.0 free-threading build (main, Oct  7 2025, 00:00:00) [GCC 15.2.0]"));
}

TEST(PythonVersion, OthersAndNonsense) {
  for (const char* says :
       {"3.8.18 (main) [GCC 12.2.0]", "3.15.0a1 (main) [GCC 15.2.0]", "3.140.0 (main) [GCC 15.2.0]",
        "2.7.18 (main) [GCC 12.2.0]", "3.", "3.x", "3", ""})
    EXPECT_FALSE(is_read(says)) << says;
}

}  // namespace
}  // namespace xfer
