// Copies that serve nothing, found because emulated devices run the kernels and the system knows
// which pages were accessed.

#include <gtest/gtest.h>

#include "trace_fixture.h"

namespace xfer::test {
namespace {

class WasteTest : public TraceTest {
 protected:
  void run(const std::string& name, const std::string& options = {}) {
    EXPECT_EQ(trace({XFER_CASES, name}, 1, "emulate_execute=ptx" + options).out, name + " done\n");
  }
};

TEST_F(WasteTest, AConstantIsSentOnEveryStep) {
  run("constant_symbol");
  expect_only("repeated-transfer", "constant_symbol");
  run("constant_beside_batches");
  expect_only("repeated-transfer", "constant_beside_batches");
}

TEST_F(WasteTest, AVariableThatChangesIsNone) {
  for (const char* name : {"changing_symbol", "reset_symbol"}) {
    run(name);
    EXPECT_EQ(findings(), 0U) << report_.dump(1);
  }
}

// Kernels that do not run may have written all that they reach.
TEST_F(WasteTest, AVariableOfKernelsThatAreSkipped) {
  for (const char* name : {"changing_symbol", "reset_symbol"}) {
    trace({XFER_CASES, name}, 1, "emulate_execute=skip");
    EXPECT_EQ(findings(), 0U) << report_.dump(1);
  }
}

TEST_F(WasteTest, AnUploadAfterTheLastKernel) {
  run("after_the_last_kernel");
  expect_only("unused-transfer", "after_the_last_kernel");
}

TEST_F(WasteTest, ResultsInPlainMemoryThatNobodyReads) {
  for (const char* name : {"unread_plain", "unread_and_freed"}) {
    run(name);
    expect_only("unused-transfer", name);
  }
  run("unread_plain", ":watch_host=0");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

TEST_F(WasteTest, ResultsOfWhichALittleIsRead) {
  run("read_a_little");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

TEST_F(WasteTest, ResultsThatAreReallocated) {
  run("reallocated");
  for (const json& finding : report_["findings"]) EXPECT_NE(finding["rule"], "unused-transfer");
}

TEST_F(WasteTest, AWaitForKernelsInManagedMemory) {
  run("managed_waits");
  expect_only("needless-sync", "managed_waits");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 5) << "the last is needed";
  run("managed_looked_at");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

TEST_F(WasteTest, TheSameResultsTwice) {
  run("downloaded_twice");
  expect_only("repeated-transfer", "downloaded_twice");
}

}  // namespace
}  // namespace xfer::test
