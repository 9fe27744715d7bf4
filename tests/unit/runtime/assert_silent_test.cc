// xfer/assert.h where nothing counts.

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <cstdlib>

#include "xfer/assert.h"

namespace xfer::test {
namespace {

using ::testing::HasSubstr;

TEST(AssertSilent, TheBlockRunsAndTheTestCountsAsSkipped) {
  ::testing::TestPartResultArray results;
  bool ran = false;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    EXPECT_TRANSFERS(h2d == 1) { ran = true; }
    ASSERT_NO_FINDINGS {}
  }
  EXPECT_TRUE(ran);
  ASSERT_EQ(results.size(), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(results.GetTestPartResult(i).skipped());
    EXPECT_THAT(results.GetTestPartResult(i).message(), HasSubstr("Run the test by `xfertrace`"));
  }
}

TEST(AssertSilent, FailsWhereCheckingIsRequired) {
  setenv("XFERCHECK_REQUIRED", "1", 1);
  EXPECT_NONFATAL_FAILURE({EXPECT_NO_TRANSFERS{}}, "Transfers were not checked: nothing counts");
  unsetenv("XFERCHECK_REQUIRED");
}

}  // namespace
}  // namespace xfer::test
