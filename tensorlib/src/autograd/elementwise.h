// Gradients of element-wise operations.
#pragma once

#include "autograd/record.h"
#include "backend/kernel_args.h"

namespace tensorlib {

// The shape, type and device that a gradient needs to be an operand's own.
struct OperandShape {
  explicit OperandShape(const Tensor& operand)
      : sizes(operand.impl()->sizes), dtype(operand.dtype()), device(operand.device()) {}
  Tensor fit(const Tensor& grad, CallSite site) const {
    return sum_to(grad, sizes, site).to(device, dtype, false, false, site);
  }

  Dims sizes;
  ScalarType dtype;
  Device device;
};

// x > 0 ? g : alpha * g; recorded. A fused gradient is not.
Tensor slope(const Tensor& g, const Tensor& x, Scalar alpha, CallSite site);
Tensor fused_gradient(BinaryOp op, const Tensor& g, const Tensor& result, CallSite site);

// Whether the gradient needs the first operand as it was: in place, it has to be kept as a copy.
bool keeps_operand(UnaryOp op);
bool keeps_operand(BinaryOp op);

// result = op(self), recorded.
Tensor record_unary(UnaryOp op, Tensor result, const char* name, const Tensor& self, CallSite site);

// An operand of a two-operand operation: a tensor, or (null) a number.
struct BinarySide {
  const Tensor* tensor = nullptr;
  Scalar number;
};
// result = op(a, b), recorded.
Tensor record_binary(BinaryOp op, Tensor result, const char* name, const BinarySide& a,
                     const BinarySide& b, Scalar alpha, CallSite site);

}  // namespace tensorlib
