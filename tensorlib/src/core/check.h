// The checks that operations make of their arguments, and the texts of the errors. A check that
// passes costs a few comparisons; the texts are built out of line.
#pragma once

#include <initializer_list>
#include <sstream>
#include <string>

#include "core/tensor_impl.h"
#include "tensorlib/error.h"

namespace tensorlib {

template <class... Parts>
std::string str_cat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

// A tensor argument of an operation, under the name that the operation's declaration gives it.
struct Argument {
  const char* name;
  const Tensor& tensor;
};
using Arguments = std::initializer_list<Argument>;

[[noreturn]] void throw_device_mismatch(const char* operation, CallSite site, Arguments arguments);
[[noreturn]] void throw_dtype_mismatch(const char* operation, CallSite site, Arguments arguments);

// All (defined) arguments are on one device.
inline void check_same_device(const char* operation, CallSite site, Arguments arguments) {
  const TensorImpl* first = nullptr;
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) continue;
    const TensorImpl* impl = argument.tensor.impl().get();
    if (first == nullptr) first = impl;
    if (impl->storage->device != first->storage->device) {
      throw_device_mismatch(operation, site, arguments);
    }
  }
}

// All (defined) arguments have one element type.
inline void check_same_dtype(const char* operation, CallSite site, Arguments arguments) {
  const TensorImpl* first = nullptr;
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) continue;
    const TensorImpl* impl = argument.tensor.impl().get();
    if (first == nullptr) first = impl;
    if (impl->dtype != first->dtype) throw_dtype_mismatch(operation, site, arguments);
  }
}

void check_floating(const char* operation, CallSite site, const Argument& argument);
void check_dim(const char* operation, CallSite site, const Argument& argument, int64_t dims);
// The dimension as 0 <= dim < dims (a tensor of no dimensions has dimension 0 for this), from -dims
// <= dim < dims.
int64_t wrap_dim(int64_t dim, int64_t dims, const char* operation, CallSite site);
// "float32 [2, 3] on cuda:0", as errors name tensors.
std::string describe(const Tensor& tensor);

}  // namespace tensorlib
