#include "autograd/elementwise.h"

#include <cmath>
#include <optional>

#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// The gradient is told by the result, not by the operand: one tensor less to keep.
bool told_by_result(UnaryOp op) {
  switch (op) {
    case UnaryOp::relu:
    case UnaryOp::exp:
    case UnaryOp::sqrt:
    case UnaryOp::rsqrt:
    case UnaryOp::reciprocal:
    case UnaryOp::tanh:
    case UnaryOp::expm1:
    case UnaryOp::tan:
    case UnaryOp::sigmoid: return true;
    default: return false;
  }
}

// The gradient is the same at every operand.
bool is_constant_slope(UnaryOp op) {
  return op == UnaryOp::sign || op == UnaryOp::floor || op == UnaryOp::ceil ||
         op == UnaryOp::round || op == UnaryOp::trunc || op == UnaryOp::neg;
}

Tensor mask(const Tensor& chosen, const Tensor& like, CallSite site) {
  return chosen.to(like.dtype(), false, false, site);
}

// d op(x) / dx * g, where y is the result; only the one that told_by_result names is given.
Tensor unary_gradient(UnaryOp op, const Tensor& g, const Tensor& x, const Tensor& y, CallSite s) {
  switch (op) {
    case UnaryOp::abs: return g.mul(x.sign(s), s);
    case UnaryOp::neg: return g.neg(s);
    case UnaryOp::square: return g.mul(x, s).mul(2, s);
    case UnaryOp::relu: return slope(g, y, 0, s);
    case UnaryOp::exp: return g.mul(y, s);
    case UnaryOp::log: return g.div(x, s);
    case UnaryOp::log1p: return g.div(x.add(1, 1, s), s);
    case UnaryOp::sqrt: return g.div(y.mul(2, s), s);
    case UnaryOp::rsqrt: return g.mul(y.mul(y, s).mul(y, s).mul(-0.5, s), s);
    case UnaryOp::reciprocal: return g.mul(y.mul(y, s).neg(s), s);
    case UnaryOp::sin: return g.mul(x.cos(s), s);
    case UnaryOp::cos: return g.mul(x.sin(s).neg(s), s);
    case UnaryOp::erf: return g.mul(x.square(s).neg(s).exp(s).mul(M_2_SQRTPI, s), s);
    case UnaryOp::tanh:
      return GradMode::is_enabled() ? g.mul(y.mul(y, s).neg(s).add(1, 1, s), s)
                                    : fused_gradient(BinaryOp::tanh_gradient, g, y, s);
    case UnaryOp::sigmoid:
      return GradMode::is_enabled() ? g.mul(y, s).mul(y.neg(s).add(1, 1, s), s)
                                    : fused_gradient(BinaryOp::sigmoid_gradient, g, y, s);
    case UnaryOp::sign:
    case UnaryOp::floor:
    case UnaryOp::ceil:
    case UnaryOp::trunc:
    case UnaryOp::round: return zeros_like(g, {}, s);
    case UnaryOp::expm1: return g.mul(y.add(1, 1, s), s);
    case UnaryOp::log2: return g.div(x.mul(M_LN2, s), s);
    case UnaryOp::log10: return g.div(x.mul(M_LN10, s), s);
    case UnaryOp::tan: return g.mul(y.square(s).add(1, 1, s), s);
    case UnaryOp::asin: return g.mul(x.square(s).neg(s).add(1, 1, s).rsqrt(s), s);
    case UnaryOp::acos: return g.mul(x.square(s).neg(s).add(1, 1, s).rsqrt(s), s).neg(s);
    case UnaryOp::atan: return g.div(x.square(s).add(1, 1, s), s);
    case UnaryOp::sinh: return g.mul(x.cosh(s), s);
    case UnaryOp::cosh: return g.mul(x.sinh(s), s);
  }
  return {};
}

// An operand of a recorded two-operand operation; its elements are kept where a gradient needs
// them.
struct SavedSide {
  SavedSide(const BinarySide& side, bool keep)
      : saved(keep && side.tensor != nullptr ? *side.tensor : Tensor()), number(side.number) {
    if (side.tensor != nullptr) shape.emplace(*side.tensor);
  }
  bool is_tensor() const { return shape.has_value(); }
  Tensor tensor() const { return saved.get(); }

  SavedTensor saved;
  Scalar number;
  std::optional<OperandShape> shape;
};

bool wants_gradient(const BinarySide& side) {
  return side.tensor != nullptr && side.tensor->requires_grad();
}

// g * side
Tensor times(const Tensor& g, const SavedSide& side, CallSite s) {
  return side.is_tensor() ? g.mul(side.tensor(), s) : g.mul(side.number, s);
}
Tensor over(const Tensor& g, const SavedSide& side, CallSite s) {
  return side.is_tensor() ? g.div(side.tensor(), s) : g.div(side.number, s);
}

// d a^b / da = b * a^(b - 1)
Tensor power_gradient_of_base(const Tensor& g, const SavedSide& a, const SavedSide& b, CallSite s) {
  if (!b.is_tensor()) {
    const double exponent = b.number.toDouble();
    if (exponent == 0) return zeros_like(g, {}, s);
    return g.mul(a.tensor().pow(exponent - 1, s), s).mul(exponent, s);
  }
  return g.mul(b.tensor(), s).mul(a.tensor().pow(b.tensor().sub(1, 1, s), s), s);
}

// d a^b / db = a^b * log(a); 0 where a is 0, whose logarithm is none.
Tensor power_gradient_of_exponent(const Tensor& g, const SavedSide& a, const Tensor& result,
                                  CallSite s) {
  if (!a.is_tensor()) {
    const double base = a.number.toDouble();
    return base == 0 ? zeros_like(g, {}, s) : g.mul(result, s).mul(std::log(base), s);
  }
  const Tensor base = a.tensor();
  const Tensor is_zero = mask(base.eq(0, s), base, s);
  return g.mul(result, s).mul(base.add(is_zero, 1, s).log(s), s);
}

// Where the operand is the one that maximum or minimum took: a number gives way at a tie, tensors
// share it.
Tensor taken(BinaryOp op, const Tensor& g, const SavedSide& own, const SavedSide& other,
             CallSite s) {
  const Tensor x = own.tensor();
  const bool larger = op == BinaryOp::maximum;
  if (!other.is_tensor()) {
    return g.mul(mask(larger ? x.ge(other.number, s) : x.le(other.number, s), g, s), s);
  }
  const Tensor y = other.tensor();
  const Tensor wins = mask(larger ? x.gt(y, s) : x.lt(y, s), g, s);
  const Tensor ties = mask(x.eq(y, s), g, s);
  return g.mul(wins.add(ties, 0.5, s), s);
}

Tensor gradient_of_a(BinaryOp op, const Tensor& g, const SavedSide& a, const SavedSide& b,
                     Scalar alpha, CallSite s) {
  switch (op) {
    case BinaryOp::add:
    case BinaryOp::remainder: return g;
    case BinaryOp::mul: return times(g, b, s);
    case BinaryOp::div: return over(g, b, s);
    case BinaryOp::pow: return power_gradient_of_base(g, a, b, s);
    case BinaryOp::maximum:
    case BinaryOp::minimum: return taken(op, g, a, b, s);
    case BinaryOp::slope: return slope(g, b.tensor(), alpha, s);
    default: return {};
  }
}

Tensor gradient_of_b(BinaryOp op, const Tensor& g, const SavedSide& a, const SavedSide& b,
                     const SavedTensor& result, Scalar alpha, autograd::GraphNode* node,
                     CallSite s) {
  switch (op) {
    case BinaryOp::add: return alpha.toDouble() == 1 ? g : g.mul(alpha, s);
    case BinaryOp::mul: return times(g, a, s);
    case BinaryOp::div: return over(g.mul(result.get(node), s), b, s).neg(s);
    case BinaryOp::pow: return power_gradient_of_exponent(g, a, result.get(node), s);
    case BinaryOp::remainder: {  // a = quotient * b + rest
      const Tensor divisor = b.tensor();
      const Tensor quotient =
          a.is_tensor() ? a.tensor().div(divisor, s) : divisor.reciprocal(s).mul(a.number, s);
      return g.mul(quotient.floor(s).neg(s), s);
    }
    case BinaryOp::maximum:
    case BinaryOp::minimum: return taken(op, g, b, a, s);
    default: return {};
  }
}

}  // namespace

bool keeps_operand(UnaryOp op) { return !told_by_result(op) && !is_constant_slope(op); }
bool keeps_operand(BinaryOp op) { return op != BinaryOp::add && op != BinaryOp::div; }

Tensor record_unary(UnaryOp op, Tensor result, const char* name, const Tensor& self,
                    CallSite site) {
  return recorded(result, name, site, {&self}, [&] {
    const bool by_result = told_by_result(op);
    return [op, site, x = SavedTensor(keeps_operand(op) ? self : Tensor()),
            y = by_result ? SavedTensor::result(result) : SavedTensor(Tensor())](
               const Tensor& g, Needs, autograd::GraphNode* node) {
      return Tensors{unary_gradient(op, g, x.get(node), y.get(node), site)};
    };
  });
}

Tensor record_binary(BinaryOp op, Tensor result, const char* name, const BinarySide& a,
                     const BinarySide& b, Scalar alpha, CallSite site) {
  // Of arithmetic the one with a number is the second, of pow the first.
  const bool has_number = a.tensor == nullptr || b.tensor == nullptr;
  const int which = op == BinaryOp::pow ? !has_number : has_number;
  return overload(
      which, recorded(result, name, site, {a.tensor, b.tensor}, [&] {
        const bool by_result = op == BinaryOp::div || op == BinaryOp::pow;
        const bool by_both =
            op == BinaryOp::pow || op == BinaryOp::maximum || op == BinaryOp::minimum;
        const bool by_rest = op == BinaryOp::remainder && wants_gradient(b);
        const bool by_a = by_both || by_rest || (op == BinaryOp::mul && wants_gradient(b));
        const bool by_b = by_both || by_rest || (op == BinaryOp::mul && wants_gradient(a)) ||
                          op == BinaryOp::div || op == BinaryOp::slope;
        return [op, alpha, site, a = SavedSide(a, by_a), b = SavedSide(b, by_b),
                y = by_result ? SavedTensor::result(result) : SavedTensor(Tensor())](
                   const Tensor& g, Needs needs, autograd::GraphNode* node) {
          Tensors grads(2);
          if (needs(0)) grads[0] = a.shape->fit(gradient_of_a(op, g, a, b, alpha, site), site);
          if (needs(1) &&
              op != BinaryOp::slope) {  // whose slope is the same on both sides of a step
            grads[1] = b.shape->fit(gradient_of_b(op, g, a, b, y, alpha, node, site), site);
          }
          return grads;
        };
      }));
}

}  // namespace tensorlib
