// Helpers of tensorlib's tests: the devices to test on, and elements read without the library's own
// kernels.
#pragma once

#include <gtest/gtest.h>
#include <tensorlib/tensorlib.h>

#include <string>
#include <vector>

namespace tensorlib::testing {

// The CPU and, where the CUDA backend is built, two emulated devices; where XFER_TEST_DEVICE is
// "gpu" the machine's own, two at most.
std::vector<Device> devices();
// Of these the CUDA devices; where there is none the test skips itself.
std::vector<Device> cuda_devices();

// The element types: the floating ones, the numbers, and all.
constexpr ScalarType kFloatingTypes[] = {kHalf, kBFloat16, kFloat, kDouble};
constexpr ScalarType kNumberTypes[] = {kByte, kChar,     kShort, kInt,   kLong,
                                       kHalf, kBFloat16, kFloat, kDouble};
constexpr ScalarType kAllTypes[] = {kByte, kChar,     kShort, kInt,    kLong,
                                    kHalf, kBFloat16, kFloat, kDouble, kBool};

// All elements in row-major order, read through sizes and strides by hand (after a copy to the
// host).
std::vector<double> elements(const Tensor& tensor);

// The largest error that a type's arithmetic may show, relative to max(1, |expected|).
double tolerance(ScalarType type);

// Compares element by element; the message says where, by how much, and how much of the tolerance
// is used.
::testing::AssertionResult near(const std::vector<double>& actual,
                                const std::vector<double>& expected, double tolerance);

// The text of the Error that the call throws; a test failure if it throws none.
template <class F>
std::string error_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

#define TENSORLIB_REQUIRE_CUDA()                        \
  do {                                                  \
    if (::tensorlib::testing::cuda_devices().empty()) { \
      GTEST_SKIP() << "the CUDA backend is not built";  \
    }                                                   \
  } while (false)

#define TENSORLIB_REQUIRE_TWO_GPUS()                       \
  do {                                                     \
    if (::tensorlib::testing::cuda_devices().size() < 2) { \
      GTEST_SKIP() << "there are no two CUDA devices";     \
    }                                                      \
  } while (false)

}  // namespace tensorlib::testing
