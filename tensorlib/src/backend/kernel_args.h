// Arguments of the kernels of all backends: the operations' names and their shapes. Plain data,
// usable in device code.
#pragma once

#include <cstdint>

namespace tensorlib {

enum class UnaryOp : uint8_t {
#define TENSORLIB_UNARY_OP(name) name,
#include "tensorlib/op_names.def"
};

enum class BinaryOp : uint8_t {
  add,  // a + alpha * b
  maximum,
  minimum,
  // Of floating types only.
  slope,             // b > 0 ? a : alpha * a; of (x, x) a leaky ReLU, of (g, x) its gradient
  sigmoid_gradient,  // a * b * (1 - b)
  tanh_gradient,     // a * (1 - b * b)
#define TENSORLIB_BINARY_OP(name) name,
#define TENSORLIB_COMPARE_OP(name) name,
#include "tensorlib/op_names.def"
};
constexpr bool is_comparison(BinaryOp op) { return op >= BinaryOp::eq; }
constexpr bool is_floating_only(BinaryOp op) {
  return op == BinaryOp::div || (op >= BinaryOp::slope && op <= BinaryOp::tanh_gradient);
}
constexpr bool is_integer_only(BinaryOp op) {
  return op >= BinaryOp::bitwise_and && op <= BinaryOp::bitwise_xor;
}

enum class ReduceOp : uint8_t { sum, amax, amin };
enum class Distribution : uint8_t { uniform, normal, integer, bernoulli };

// N operands walked together: sizes are common (broadcast), strides are each operand's own, in
// elements. Made by merge_dims, which joins neighbours, so a plain array is one dimension with
// strides 1.
template <int N>
struct Geometry {
  static constexpr int kDims = 8;
  int ndim = 0;
  int64_t numel = 1;
  int64_t sizes[kDims] = {};
  int64_t strides[N][kDims] = {};

  // Every operand is a plain array (or, with `allow_zero`, one repeated element).
  constexpr bool flat(bool allow_zero = false) const {
    if (ndim > 1) return false;
    for (int i = 0; i < N && ndim == 1; ++i) {
      if (strides[i][0] != 1 && !(allow_zero && i > 0 && strides[i][0] == 0)) return false;
    }
    return true;
  }
};

// A contiguous tensor seen as [outer, n, inner], worked on along n.
struct Rows {
  int64_t outer, n, inner;
};

// Of which elements of a tensor seen as Rows an index tells the place.
enum class Places {
  each,    // index[o, i, r]: every element has its own
  shared,  // index[i]: whole rows
};

// C[i] = alpha * op(A[i]) . op(B[i]) + beta * C[i] for each i of the batch; row-major, ld in
// elements.
struct GemmShape {
  int64_t batch, m, n, k;
  bool transpose_a, transpose_b;
  int64_t lda, ldb, ldc;
  int64_t stride_a, stride_b, stride_c;
  double alpha, beta;
};

// Geometry common to convolution and pooling of [n, c, h, w] images.
struct Window2d {
  int64_t kernel[2], stride[2], padding[2], dilation[2];
};
struct Conv2dShape {
  int64_t n, c, h, w, out_c, out_h, out_w, groups;
  Window2d window;
};
struct Pool2dShape {
  int64_t planes, h, w, out_h, out_w;
  Window2d window;
};

struct BatchNormShape {
  int64_t n, c, inner;
  double eps;
};

}  // namespace tensorlib
