#include "unit/tensorlib/support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "test_device.h"

#ifdef __SANITIZE_ADDRESS__
// Memory that is not there is an error of tensorlib's, to be tested, and not the sanitizer's.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace tensorlib::testing {

namespace {

// Before the first use of CUDA: emulated devices, unless the caller chose others or wants the
// machine's own.
const bool on_gpu = [] {
  if (xfer::test::on_gpu()) return true;
  setenv("XFERCHECK_EMULATE", "2", 0);
  return false;
}();

double element(const Tensor& tensor, int64_t at) {
  switch (tensor.dtype()) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return static_cast<double>(static_cast<cpp*>(tensor.data_ptr())[at]);
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  return NAN;
}

void walk(const Tensor& tensor, int64_t dim, int64_t at, std::vector<double>& out) {
  if (dim == tensor.dim()) {
    out.push_back(element(tensor, at));
    return;
  }
  for (int64_t i = 0; i < tensor.size(dim); ++i) {
    walk(tensor, dim + 1, at + i * tensor.stride(dim), out);
  }
}

}  // namespace

std::vector<Device> cuda_devices() {
  std::vector<Device> all;
  for (int i = 0; i < std::min(2, static_cast<int>(cuda::device_count())); ++i)
    all.emplace_back(kCUDA, i);
  if (on_gpu && all.empty()) {  // no test may pass for want of what it is about
    throw std::runtime_error("XFER_TEST_DEVICE=gpu, but there is no CUDA device");
  }
  return all;
}

std::vector<Device> devices() {
  std::vector<Device> all{kCPU};
  for (const Device& device : cuda_devices()) all.push_back(device);
  return all;
}

std::vector<double> elements(const Tensor& tensor) {
  std::vector<double> out;
  walk(tensor.cpu(), 0, 0, out);
  return out;
}

double tolerance(ScalarType type) {
  switch (type) {
    case kHalf: return 2e-3;
    case kBFloat16: return 1.6e-2;
    case kFloat: return 2e-6;
    case kDouble: return 1e-13;
    default: return 0;
  }
}

::testing::AssertionResult near(const std::vector<double>& actual,
                                const std::vector<double>& expected, double tolerance) {
  if (actual.size() != expected.size()) {
    return ::testing::AssertionFailure()
           << actual.size() << " elements, " << expected.size() << " expected";
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i]) && std::isnan(actual[i])) continue;
    if (actual[i] == expected[i]) continue;
    const double error = std::fabs(actual[i] - expected[i]);
    const double allowed = tolerance * std::max(1.0, std::fabs(expected[i]));
    if (!(error <= allowed)) {
      return ::testing::AssertionFailure()
             << "element " << i << " is " << actual[i] << ", " << expected[i]
             << " expected; off by " << error << ", allowed " << allowed;
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace tensorlib::testing
