#ifdef XFER_BLAS_PROGRAM

#include <gmock/gmock.h>

#include "run_program.h"

namespace xfer::test {
namespace {

using ::testing::HasSubstr;

TEST(Cublas, ProductsAreRight) {
  for (const char* schedule : {"emulate_schedule=eager", "emulate_schedule=lazy"}) {
    const Outcome outcome =
        run_emulated({XFER_BLAS_PROGRAM}, {std::string("XFERCHECK_OPTIONS=") + schedule});
    std::string expected;
    for (const char* kind : {"float 00", "float 01", "float 10", "float 11", "double batched",
                             "half", "bfloat16", "vector"}) {
      expected += std::string(kind) + ": CUBLAS_STATUS_SUCCESS, error 0\n";
    }
    EXPECT_EQ(outcome.out, expected + "too small ld: CUBLAS_STATUS_INVALID_VALUE\n") << schedule;
  }
}

// The last one keeps more than the result, which is not computed here.
TEST(Cublas, LtProductsAreRightOrSkipped) {
  const Outcome outcome = run_emulated({XFER_BLAS_PROGRAM, "lt"});
  std::string expected;
  for (const char* kind : {"plain", "relu of bias", "gelu", "half with bias", "skipped"})
    expected += std::string(kind) + ": CUBLAS_STATUS_SUCCESS, right\n";
  EXPECT_EQ(outcome.out, expected);
  EXPECT_THAT(outcome.err, HasSubstr("1 kernel launch was not executed"));
  EXPECT_THAT(outcome.err, HasSubstr("1 x emulated_cublas_not_computed"));
}

TEST(Cublas, AHostOperandLosesTheDevice) {
  const Outcome outcome = run_emulated({XFER_BLAS_PROGRAM, "host-operand"});
  EXPECT_EQ(outcome.out, "sync: cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, HasSubstr("host memory that no device can reach"));
}

}  // namespace
}  // namespace xfer::test

#endif
