// Functions that make tensors.
#pragma once

#include "tensorlib/detail/tensor_data.h"
#include "tensorlib/tensor.h"

namespace tensorlib {

TENSORLIB_PURE TENSORLIB_API Tensor empty(IntArrayRef sizes, TensorOptions options = {},
                                          CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor zeros(IntArrayRef sizes, TensorOptions options = {},
                                          CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor ones(IntArrayRef sizes, TensorOptions options = {},
                                         CallSite site = CallSite::current());
// Without a dtype in the options: the number's (int64, bool, or float32 for a floating one).
TENSORLIB_PURE TENSORLIB_API Tensor full(IntArrayRef sizes, Scalar value,
                                         TensorOptions options = {},
                                         CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor rand(IntArrayRef sizes, TensorOptions options = {},
                                         CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor randn(IntArrayRef sizes, TensorOptions options = {},
                                          CallSite site = CallSite::current());
// Integers of [low, high): int64, or what the options say, which is float32 where they name a
// device alone.
TENSORLIB_PURE TENSORLIB_API Tensor randint(int64_t low, int64_t high, IntArrayRef sizes,
                                            TensorOptions options = kLong,
                                            CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor randint(int64_t high, IntArrayRef sizes,
                                            TensorOptions options = kLong,
                                            CallSite site = CallSite::current());
// 0 to n - 1 in a random order, as int64 unless the options say otherwise.
TENSORLIB_PURE TENSORLIB_API Tensor randperm(int64_t n, TensorOptions options = {},
                                             CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor arange(Scalar end, TensorOptions options = {},
                                           CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor arange(Scalar start, Scalar end, TensorOptions options = {},
                                           CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor arange(Scalar start, Scalar end, Scalar step,
                                           TensorOptions options = {},
                                           CallSite site = CallSite::current());
// `steps` numbers from start to end, both included; float32 unless the options say otherwise.
TENSORLIB_PURE TENSORLIB_API Tensor linspace(Scalar start, Scalar end, int64_t steps = 100,
                                             TensorOptions options = {},
                                             CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor eye(int64_t n, TensorOptions options = {},
                                        CallSite site = CallSite::current());

// A tensor of the values: a number, a (nested) braced list, or a std::vector. Floating values make
// a float32 tensor, integers int64, bools bool, unless the options say otherwise.
TENSORLIB_PURE TENSORLIB_API Tensor tensor(const detail::TensorData& data,
                                           TensorOptions options = {},
                                           CallSite site = CallSite::current());

// A tensor over memory that the caller keeps alive, or gives away with a deleter. On a CUDA device
// in the options, `data` is a device pointer.
TENSORLIB_PURE TENSORLIB_API Tensor from_blob(void* data, IntArrayRef sizes,
                                              TensorOptions options = {},
                                              CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor from_blob(void* data, IntArrayRef sizes,
                                              const std::function<void(void*)>& deleter,
                                              TensorOptions options = {},
                                              CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                                              TensorOptions options = {},
                                              CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                                              const std::function<void(void*)>& deleter,
                                              TensorOptions options = {},
                                              CallSite site = CallSite::current());

// As the given tensor, but for what the options change.
TENSORLIB_PURE TENSORLIB_API Tensor empty_like(const Tensor& self, TensorOptions options = {},
                                               CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor zeros_like(const Tensor& self, TensorOptions options = {},
                                               CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor ones_like(const Tensor& self, TensorOptions options = {},
                                              CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor full_like(const Tensor& self, Scalar value,
                                              TensorOptions options = {},
                                              CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor rand_like(const Tensor& self, TensorOptions options = {},
                                              CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor randn_like(const Tensor& self, TensorOptions options = {},
                                               CallSite site = CallSite::current());

// Seeds the random generators of all devices. Equal seeds give equal numbers on every device.
TENSORLIB_API void manual_seed(uint64_t seed);

// Which numbers a seed gives.
enum class RandomNumbers {
  kParallel,  // Philox: every number by itself, so that threads and devices share the work
  // Those of LibTorch's CPU generator, one after the other, on every device (a CUDA tensor's are
  // drawn on the host and copied): to compare a program with what it does on LibTorch.
  kLibTorch
};
// For the process, from now on. The environment's TENSORLIB_RANDOM=libtorch is the same.
TENSORLIB_API void set_random_numbers(RandomNumbers kind);

}  // namespace tensorlib
