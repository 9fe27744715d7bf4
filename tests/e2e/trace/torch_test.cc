// Programs with PyTorch's allocator.

#include "trace_fixture.h"

namespace xfer::test {
namespace {

TEST_F(TraceTest, ATensorOfPyTorchsThatIsMovedOnEveryStep) {
  const CommandResult result = trace({XFER_TORCH_CASES, "moved_each_step"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "9 blocks given, 9 taken back\n");  // c10 was told all the same
  expect_only("repeated-transfer", "moved_each_step", "torch_cases.cu");
  EXPECT_EQ(report_["findings"][0]["severity"], "advice");
  EXPECT_EQ(report_["findings"][0]["cost"]["count"], 7);
}

TEST_F(TraceTest, MemoryThatPyTorchsAllocatorKeepsIsNoLeak) {
  const CommandResult result = trace({XFER_TORCH_CASES, "growing"});
  EXPECT_EQ(result.out, "40 blocks given, 40 taken back\n");
  EXPECT_EQ(findings(), 0U) << report_.dump(1);
}

}  // namespace
}  // namespace xfer::test
