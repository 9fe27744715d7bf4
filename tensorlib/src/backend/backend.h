// Backend: the seam between operations (which check, shape and allocate) and devices (which
// compute).
//
// One Backend object serves one device. Pointers are that device's; contiguous unless a Geometry is
// given; the element type is one that the operation supports, which operations make sure of. All
// work goes to the device's current stream. Shared by libtensorlib and its CUDA plugin.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "backend/kernel_args.h"
#include "tensorlib/call_site.h"
#include "tensorlib/device.h"
#include "tensorlib/macros.h"
#include "tensorlib/scalar.h"

namespace tensorlib {

// An operand of an element-wise operation: memory, or one number for every element.
struct Input {
  const void* data = nullptr;
  Scalar number;
};

// The operation that a person called, and the line of the call: for errors that a device tells of
// later.
struct Caller {
  const char* operation = "";
  CallSite site = CallSite::none();
  bool picks_classes = false;  // the indices are labels
};

// Where a batch norm's per-channel numbers are; any of weight and bias may be null.
struct BatchNormStats {
  const void* weight;
  const void* bias;
  const void* mean;
  const void* variance;
};

// Where its gradients go, and a scratch of [2, c] numbers (float for half).
struct BatchNormGradient {
  void* input;
  void* weight;
  void* bias;
  void* scratch;
};

struct RandomSpec {
  Distribution distribution;
  uint64_t seed, offset;  // the counter-based generator's key and first counter
  double a, b;  // uniform [a, b), normal(a, b), integer [a, b), bernoulli: 0 with p=a, else b
};

// Where a tensor's memory comes from.
class TENSORLIB_API Allocator {
 public:
  virtual ~Allocator();
  // Throws DeviceError when there is not enough.
  virtual void* allocate(size_t nbytes) = 0;
  virtual void release(void* data, size_t nbytes) noexcept = 0;
};

// A backend's own arrangement of a weight, kept with the weight's memory.
struct PackedWeight {
  std::mutex mutex;
  uint64_t version = 0;        // of the weight, when it was arranged
  std::shared_ptr<void> data;  // known to the backend alone
};

// A weight, how often it was written to, and where its arrangement may be kept: nowhere (null) if
// it may be written to unseen.
struct Weight {
  const void* data;
  uint64_t version;
  PackedWeight* packed;
};

class TENSORLIB_API Backend : public Allocator {
 public:
  ~Backend() override;

  // Waits until all work given to the device is done.
  virtual void synchronize() = 0;

  virtual void fill(ScalarType type, const Geometry<1>& geometry, void* out, Scalar value) = 0;
  virtual void arange(ScalarType type, void* out, int64_t n, Scalar start, Scalar step) = 0;
  virtual void random(ScalarType type, void* out, int64_t n, const RandomSpec& spec) = 0;
  // out = in, with conversion of the element type; the geometry is {out, in}.
  virtual void convert(const Geometry<2>& geometry, void* out, ScalarType to, const void* in,
                       ScalarType from) = 0;
  // The geometries are {out, in} and {out, a, b}.
  virtual void unary(UnaryOp op, ScalarType type, const Geometry<2>& geometry, void* out,
                     const void* in) = 0;
  virtual void binary(BinaryOp op, ScalarType type, const Geometry<3>& geometry, void* out, Input a,
                      Input b, Scalar alpha) = 0;
  // out = chosen ? a : b; the geometry is {out, chosen, a, b}.
  virtual void where(ScalarType type, const Geometry<4>& geometry, void* out, const bool* chosen,
                     Input a, Input b) = 0;
  // out[outer, inner] = scale * reduction of in[outer, n, inner] over n
  virtual void reduce(ReduceOp op, ScalarType type, Rows rows, void* out, const void* in,
                      double scale) = 0;
  virtual void arg_reduce(ReduceOp op, ScalarType type, Rows rows, void* values, int64_t* indices,
                          const void* in) = 0;
  // out[o, i, r] = the sum of in[o, 0..i, r]. Of numbers alone.
  virtual void cumulative_sum(ScalarType type, Rows rows, void* out, const void* in) = 0;
  virtual void softmax(ScalarType type, Rows rows, void* out, const void* in, bool log) = 0;
  // out[o, i, r] = in[o, index[o, i, r], r]; in has `rows`, out and index have `out_n` rows of n.
  virtual void gather(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                      const int64_t* index, const Caller& caller) = 0;
  // Its transposed: out[o, index[o, i, r], r] += in[o, i, r], in the order of i; out has `rows`,
  // and in and index have `in_n` rows of n.
  virtual void scatter_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                           const int64_t* index, const Caller& caller) = 0;
  // out[o, i, r] = in[o, index[i], r]; in has `rows`, out has `out_n` rows of n.
  virtual void index_select(ScalarType type, Rows rows, int64_t out_n, void* out, const void* in,
                            const int64_t* index, const Caller& caller) = 0;
  // Its transposed: out[o, index[i], r] += in[o, i, r], in the order of i; out has `rows`.
  virtual void index_add(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                         const int64_t* index, const Caller& caller) = 0;
  // out[o, index[i], r] = in[o, i, r]; out has `rows`. Of equal places any may be the one that
  // stays.
  virtual void index_put(ScalarType type, Rows rows, int64_t in_n, void* out, const void* in,
                         const int64_t* index, const Caller& caller) = 0;
  // The k first of each row in the order of kernels::ranks_before; values and indices have k rows
  // of n. Of numbers alone.
  virtual void topk(ScalarType type, Rows rows, int64_t k, bool largest, void* values,
                    int64_t* indices, const void* in) = 0;
  virtual void gemm(ScalarType type, const GemmShape& shape, void* c, const void* a,
                    const void* b) = 0;
  virtual void conv2d(ScalarType type, const Conv2dShape& shape, void* out, const void* input,
                      const Weight& weight, const void* bias) = 0;
  // The transposed of conv2d: what each element of the image gets from the `grad` [n, out_c, out_h,
  // out_w] of the result. The gradient of conv2d's input, and a transposed convolution.
  virtual void conv2d_to_input(ScalarType type, const Conv2dShape& shape, void* image,
                               const void* grad, const Weight& weight) = 0;
  // The gradient of conv2d's weight.
  virtual void conv2d_to_weight(ScalarType type, const Conv2dShape& shape, void* weight,
                                const void* grad, const void* input) = 0;
  // `places` (may be null): where in its plane each maximum was, the first of equal ones.
  virtual void max_pool2d(ScalarType type, const Pool2dShape& shape, void* out, int64_t* places,
                          const void* input) = 0;
  virtual void max_pool2d_gradient(ScalarType type, const Pool2dShape& shape, void* image,
                                   const void* grad, const int64_t* places) = 0;
  virtual void avg_pool2d(ScalarType type, const Pool2dShape& shape, bool count_padding, void* out,
                          const void* input) = 0;
  virtual void adaptive_avg_pool2d(ScalarType type, const Pool2dShape& shape, void* out,
                                   const void* input) = 0;
  virtual void avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape, bool count_padding,
                                   void* image, const void* grad) = 0;
  virtual void adaptive_avg_pool2d_gradient(ScalarType type, const Pool2dShape& shape, void* image,
                                            const void* grad) = 0;
  virtual void batch_stats(ScalarType type, const BatchNormShape& shape, void* mean, void* variance,
                           const void* input) = 0;
  virtual void batch_norm(ScalarType type, const BatchNormShape& shape, void* out,
                          const void* input, const BatchNormStats& stats) = 0;
  // The gradients of batch_norm. `training`: mean and variance are the batch's own. Any of input,
  // weight and bias may be null: not wanted.
  virtual void batch_norm_gradient(ScalarType type, const BatchNormShape& shape, bool training,
                                   const BatchNormGradient& out, const void* grad,
                                   const void* input, const BatchNormStats& stats) = 0;
};

}  // namespace tensorlib
