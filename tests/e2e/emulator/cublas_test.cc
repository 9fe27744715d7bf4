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
    for (const char* kind :
         {"float 00", "float 01", "float 10", "float 11", "double batched", "float by pointers",
          "double by pointers", "half by pointers", "half", "bfloat16", "vector"}) {
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

TEST(Cublas, VectorsAreRight) {
  for (const char* schedule : {"emulate_schedule=eager", "emulate_schedule=lazy"}) {
    const Outcome outcome = run_emulated({XFER_BLAS_PROGRAM, "vectors"},
                                         {std::string("XFERCHECK_OPTIONS=") + schedule});
    EXPECT_EQ(outcome.out,
              "axpy: 3 4 13 -4 5 -6\n"   // + 2 * (1 3 5)
              "copy: 1 4 13 -2 5 -6\n"   // 1 -2 to every third
              "scal: 2 4 26 -2 10 -6\n"  // every other
              "swap: 2 4 3 -4 5 -6\n"    // with 1 -2
              "dot: 47\n"                // 2 4 3 with 26 -2 1
              "asum: 24\niamax: 6\niamin: 1\nof none: 0\n"
              "device scal: -2 4 3 -4\ndevice nrm2: 5 -2\n"
              "no result: CUBLAS_STATUS_INVALID_VALUE\n"
              "matrix: 1 2 4 5\ntoo small ld: CUBLAS_STATUS_INVALID_VALUE\n"
              "sync: cudaSuccess\n")
        << schedule << '\n'
        << outcome.err;
    EXPECT_EQ(outcome.err, "") << "none was skipped";
  }
}

TEST(Cublas, LuFactorsSolveAndInvert) {
  const Outcome outcome = run_emulated({XFER_BLAS_PROGRAM, "lu"});
  std::string expected;
  for (const char* type : {"float", "double"})
    expected += std::string(type) +
                "\npivots: 3 3 3 3 2 3\ninfo: 0 0\nsolved: 1, 0\nsolved: 1, 0\ninverse: 1\n"
                "at once: 1\n";
  EXPECT_EQ(outcome.out, expected +
                             "zeros: 1 1\nin order: 2 2 1 1 4 0.5 2 4\n"
                             "too small ld: CUBLAS_STATUS_INVALID_VALUE\nsync: cudaSuccess\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Cublas, AHostOperandLosesTheDevice) {
  const Outcome outcome = run_emulated({XFER_BLAS_PROGRAM, "host-operand"});
  EXPECT_EQ(outcome.out, "sync: cudaErrorIllegalAddress\n");
  EXPECT_THAT(outcome.err, HasSubstr("they are host memory that no device can reach"));
}

}  // namespace
}  // namespace xfer::test

#endif
