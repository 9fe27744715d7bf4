// Element-wise operations: types are promoted, shapes broadcast, devices checked; then one kernel.
#include "autograd/elementwise.h"

#include "backend/platform.h"
#include "core/check.h"
#include "core/generator.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "kernels/functors.h"
#include "ops/elementwise.h"
#include "ops/geometry.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

void unary_into(UnaryOp op, const Tensor& out, const Tensor& in) {
  const TensorImpl& to = *out.impl();
  const TensorImpl& from = *in.impl();
  if (to.numel == 0) return;
  const auto geometry = to.contiguous && from.contiguous
                            ? flat_geometry<2>(to.numel)
                            : merge_dims<2>(to.sizes, {&to.strides, &from.strides});
  backend_for(to.storage->device).unary(op, to.dtype, geometry, to.writable(), from.data());
}

void refuse_bool(const char* name, CallSite site) {
  throw DTypeMismatchError(str_cat(name, ": not an operation of bool tensors"), site);
}

// Of whole numbers nothing is to be done.
bool makes_whole(UnaryOp op) {
  return op == UnaryOp::floor || op == UnaryOp::ceil || op == UnaryOp::round ||
         op == UnaryOp::trunc;
}

Tensor unary(UnaryOp op, const char* name, const Tensor& self, CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", name, site);
  if (impl.dtype == kBool && (kernels::takes_integers(op) || makes_whole(op))) {
    refuse_bool(name, site);
  }
  if (makes_whole(op) && isIntegralType(impl.dtype, false)) return self.clone(site);
  const bool stays = isFloatingType(impl.dtype) || kernels::takes_integers(op);
  const ScalarType type = stays ? impl.dtype : kFloat;
  Tensor result = allocate_result(impl.sizes, type, self, name, site);
  unary_into(op, result, stays ? self : self.to(type, false, false, site));
  return record_unary(op, std::move(result), name, self, site);
}

Tensor& unary_in_place(UnaryOp op, const char* name, const Tensor& self, CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", name, site);
  if (impl.dtype == kBool) refuse_bool(name, site);
  if (makes_whole(op) && isIntegralType(impl.dtype, false)) return const_cast<Tensor&>(self);
  if (!kernels::takes_integers(op)) check_floating(name, site, {"self", self});
  if (records({&self}, name, site)) {
    const Tensor before = keeps_operand(op) ? self.clone(site) : self;
    assign_recorded(self, unary(op, name, before, site), name, site);
  } else {
    unary_into(op, self, self);
  }
  return const_cast<Tensor&>(self);
}

// A tensor without dimensions takes part in promotion, and across devices, as a number does.
bool is_number(const Side& side) { return side.tensor == nullptr || side.tensor->dim() == 0; }

ScalarType type_of(const Side& side) {
  return side.tensor != nullptr ? side.tensor->dtype() : side.number.type();
}

}  // namespace

ScalarType common_type(const Side& a, const Side& b) {
  const ScalarType x = type_of(a), y = type_of(b);
  if (is_number(a) == is_number(b) && a.tensor != nullptr && b.tensor != nullptr) {
    return promoteTypes(x, y);
  }
  const Side& array = is_number(b) ? a : b;
  const ScalarType kept = type_of(array);
  const ScalarType other = is_number(b) ? y : x;
  const auto category = [](ScalarType t) {
    return isFloatingType(t) ? 2 : isIntegralType(t, false) ? 1 : 0;
  };
  if (category(other) <= category(kept)) return kept;
  const bool plain_number = (is_number(b) ? b : a).tensor == nullptr;
  return plain_number && other == kDouble ? kFloat : other;
}

namespace {

// Two operands on different devices, of which neither goes as a number.
bool must_be_brought_together(const Side& a, const Side& b) {
  if (a.tensor == nullptr || b.tensor == nullptr) return false;
  const TensorImpl& x = *a.tensor->impl();
  const TensorImpl& y = *b.tensor->impl();
  const auto is_host_number = [](const TensorImpl& t) {
    return t.sizes.empty() && t.storage->device.is_cpu();
  };
  return x.storage->device != y.storage->device && !is_host_number(x) && !is_host_number(y);
}

}  // namespace

void check_sides(const char* name, Side& a, Side& b, CallSite site) {
  if (a.tensor == nullptr || b.tensor == nullptr) return;
  const Device x = a.tensor->device(), y = b.tensor->device();
  if (x == y) return;
  if (b.tensor->dim() == 0 && y.is_cpu()) {
    b = {nullptr, b.tensor->item(site)};
  } else if (a.tensor->dim() == 0 && x.is_cpu()) {
    a = {nullptr, a.tensor->item(site)};
  } else {
    throw_device_mismatch(name, site, {{"self", *a.tensor}, {"other", *b.tensor}});
  }
}

namespace {

void binary_into(BinaryOp op, ScalarType type, const Tensor& out, const Side& a, const Side& b,
                 Scalar alpha, CallSite site) {
  const TensorImpl& to = *out.impl();
  if (to.numel == 0) return;
  Tensor converted[2];
  const TensorImpl* impls[2] = {};
  Input inputs[2] = {{nullptr, a.number}, {nullptr, b.number}};
  const Tensor* tensors[2] = {a.tensor, b.tensor};
  bool flat = to.contiguous;
  for (int i = 0; i < 2; ++i) {
    if (tensors[i] == nullptr) continue;
    impls[i] = tensors[i]->impl().get();
    if (impls[i]->dtype != type) {
      converted[i] = tensors[i]->to(type, false, false, site);
      impls[i] = converted[i].impl().get();
    }
    inputs[i].data = impls[i]->data();
    flat = flat && impls[i]->contiguous && impls[i]->sizes == to.sizes;
  }
  Backend& backend = backend_for(to.storage->device);
  if (flat) {
    backend.binary(op, type, flat_geometry<3>(to.numel), to.writable(), inputs[0], inputs[1],
                   alpha);
    return;
  }
  Dims strides[2];
  for (int i = 0; i < 2; ++i) {
    strides[i] = impls[i] != nullptr ? broadcast_strides(*impls[i], to.sizes)
                                     : Dims::filled(to.sizes.size(), 0);
  }
  const auto geometry = merge_dims<3>(to.sizes, {&to.strides, &strides[0], &strides[1]});
  backend.binary(op, type, geometry, to.writable(), inputs[0], inputs[1], alpha);
}

// Integers divide as floating numbers do.
ScalarType compute_type(BinaryOp op, const Side& a, const Side& b) {
  const ScalarType type = common_type(a, b);
  return op == BinaryOp::div && !isFloatingType(type) ? kFloat : type;
}

// The difference of truths is no truth, and what it should be nobody agrees on.
void refuse_types(BinaryOp op, ScalarType type, Scalar alpha, const char* name, CallSite site) {
  if (is_integer_only(op) && isFloatingType(type)) {
    throw DTypeMismatchError(
        str_cat(name, ": an operation of integers and bools, not of ", name_of(type)), site);
  }
  if (op == BinaryOp::remainder && type == kBool) refuse_bool(name, site);
  if (op != BinaryOp::add || type != kBool || alpha.toDouble() >= 0) return;
  throw DTypeMismatchError(
      str_cat(name, ": not an operation of bool tensors\nhelp: use ne() to see where they differ"),
      site);
}

// An integer 0 divides nothing. On the CPU alone: a look at a device's elements would wait for it.
void refuse_zero_divisor(ScalarType type, const Side& b, const char* name, CallSite site) {
  if (isFloatingType(type)) return;
  if (b.tensor == nullptr
          ? b.number.toDouble() != 0
          : !b.tensor->is_cpu() || b.tensor->detach(site).all(site).item(site).toBool()) {
    return;
  }
  throw Error(str_cat(name, ": an integer is divided by 0"), site);
}

Tensor binary(BinaryOp op, const char* name, Side a, Side b, Scalar alpha, CallSite site) {
  if (a.tensor != nullptr) require_defined(*a.tensor, "self", name, site);
  if (b.tensor != nullptr) require_defined(*b.tensor, "other", name, site);
  if (must_be_brought_together(a, b)) {
    const auto both = brought_together(name, site, {{"self", *a.tensor}, {"other", *b.tensor}});
    return binary(op, name, {&both[0], {}}, {&both[1], {}}, alpha, site);
  }
  const ScalarType type = compute_type(op, a, b);
  refuse_types(op, type, alpha, name, site);
  if (op == BinaryOp::remainder) refuse_zero_divisor(type, b, name, site);
  Dims sizes;
  if (a.tensor != nullptr && b.tensor != nullptr) {
    sizes = broadcast_sizes(*a.tensor, *b.tensor, name, site);
  } else {
    sizes = (a.tensor != nullptr ? a : b).tensor->impl()->sizes;
  }
  const Side given_a = a, given_b = b;
  check_sides(name, a, b, site);
  const Tensor& like = *(a.tensor != nullptr ? a : b).tensor;
  Tensor result = allocate_result(sizes, is_comparison(op) ? kBool : type, like, name, site);
  binary_into(op, type, result, a, b, alpha, site);
  if (is_comparison(op)) return result;
  return record_binary(op, std::move(result), name, given_a, given_b, alpha, site);
}

Tensor& binary_in_place(BinaryOp op, const char* name, const Tensor& self, Side b, Scalar alpha,
                        CallSite site) {
  const TensorImpl& impl = require_defined(self, "self", name, site);
  if (b.tensor != nullptr) require_defined(*b.tensor, "other", name, site);
  Side a{&self, {}};
  Tensor moved;
  if (must_be_brought_together(a, b) && OperandPolicyScope::current() == OperandPolicy::kImplicit) {
    const CauseScope cause(TransferCause::kOperand);
    moved = b.tensor->to(self.device(), b.tensor->dtype(), false, false, site);
    b.tensor = &moved;
  }
  const ScalarType type = compute_type(op, a, b);
  refuse_types(op, type, alpha, name, site);
  if (op == BinaryOp::remainder) refuse_zero_divisor(type, b, name, site);
  if (type != impl.dtype && (isFloatingType(type) || impl.dtype == kBool) &&
      !isFloatingType(impl.dtype)) {
    throw DTypeMismatchError(str_cat(name, ": the result is ", name_of(type),
                                     " and cannot be stored in a tensor of ", name_of(impl.dtype)),
                             site);
  }
  if (b.tensor != nullptr && broadcast_sizes(self, *b.tensor, name, site) != impl.sizes) {
    throw ShapeError(str_cat(name, ": other has shape ", b.tensor->sizes(),
                             ", which does not broadcast into self's ", IntArrayRef(impl.sizes)),
                     site);
  }
  check_sides(name, a, b, site);
  if (a.tensor ==
      nullptr) {  // self is a CPU number and other lies on a GPU: nothing may move there
    throw_device_mismatch(name, site, {{"self", self}, {"other", *b.tensor}});
  }
  if (records({&self, b.tensor}, name, site)) {
    const Tensor before = keeps_operand(op) ? self.clone(site) : self;
    assign_recorded(self, binary(op, name, {&before, {}}, b, alpha, site), name, site);
    return const_cast<Tensor&>(self);
  }
  // In place on itself is safe element by element, but not where b sees self's elements elsewhere.
  Tensor copy;
  if (b.tensor != nullptr && b.tensor->is_alias_of(self) && !b.tensor->is_same(self)) {
    copy = b.tensor->clone(site);
    b.tensor = &copy;
  }
  if (type == impl.dtype) {
    binary_into(op, type, self, a, b, alpha, site);
  } else {
    self.copy_(binary(op, name, a, b, alpha, site), false, site);
  }
  return const_cast<Tensor&>(self);
}

}  // namespace

#define TENSORLIB_UNARY_OP(name)                                                                \
  Tensor Tensor::name(CallSite site) const { return unary(UnaryOp::name, #name, *this, site); } \
  Tensor& Tensor::name##_(CallSite site) const {                                                \
    return unary_in_place(UnaryOp::name, #name "_", *this, site);                               \
  }
#define TENSORLIB_COMPARE_OP(name)                                               \
  Tensor Tensor::name(const Tensor& other, CallSite site) const {                \
    return binary(BinaryOp::name, #name, {this, {}}, {&other, {}}, 1, site);     \
  }                                                                              \
  Tensor Tensor::name(Scalar other, CallSite site) const {                       \
    return binary(BinaryOp::name, #name, {this, {}}, {nullptr, other}, 1, site); \
  }
#define TENSORLIB_BINARY_OP(name)                                                        \
  TENSORLIB_COMPARE_OP(name)                                                             \
  Tensor& Tensor::name##_(const Tensor& other, CallSite site) const {                    \
    return binary_in_place(BinaryOp::name, #name "_", *this, {&other, {}}, 1, site);     \
  }                                                                                      \
  Tensor& Tensor::name##_(Scalar other, CallSite site) const {                           \
    return binary_in_place(BinaryOp::name, #name "_", *this, {nullptr, other}, 1, site); \
  }
#include "tensorlib/op_names.def"

// sub is add of -alpha times the other.
#define TENSORLIB_SCALED_OP(name, sign)                                                          \
  Tensor Tensor::name(const Tensor& other, Scalar alpha, CallSite site) const {                  \
    return binary(BinaryOp::add, #name, {this, {}}, {&other, {}}, sign alpha, site);             \
  }                                                                                              \
  Tensor Tensor::name(Scalar other, Scalar alpha, CallSite site) const {                         \
    return binary(BinaryOp::add, #name, {this, {}}, {nullptr, other}, sign alpha, site);         \
  }                                                                                              \
  Tensor& Tensor::name##_(const Tensor& other, Scalar alpha, CallSite site) const {              \
    return binary_in_place(BinaryOp::add, #name "_", *this, {&other, {}}, sign alpha, site);     \
  }                                                                                              \
  Tensor& Tensor::name##_(Scalar other, Scalar alpha, CallSite site) const {                     \
    return binary_in_place(BinaryOp::add, #name "_", *this, {nullptr, other}, sign alpha, site); \
  }
TENSORLIB_SCALED_OP(add, )
TENSORLIB_SCALED_OP(sub, -)
#undef TENSORLIB_SCALED_OP

Tensor maximum(const Tensor& self, const Tensor& other, CallSite site) {
  return binary(BinaryOp::maximum, "maximum", {&self, {}}, {&other, {}}, 1, site);
}
Tensor minimum(const Tensor& self, const Tensor& other, CallSite site) {
  return binary(BinaryOp::minimum, "minimum", {&self, {}}, {&other, {}}, 1, site);
}

Tensor slope(const Tensor& g, const Tensor& x, Scalar alpha, CallSite site) {
  return binary(BinaryOp::slope, "slope", {&g, {}}, {&x, {}}, alpha, site);
}
Tensor fused_gradient(BinaryOp op, const Tensor& g, const Tensor& result, CallSite site) {
  return binary(op, "gradient", {&g, {}}, {&result, {}}, 1, site);
}

Tensor leaky_relu(const Tensor& self, Scalar negative_slope, CallSite site) {
  require_defined(self, "self", "leaky_relu", site);
  check_floating("leaky_relu", site, {"self", self});
  Tensor result;
  {
    NoGradGuard raw;
    result = slope(self, self, negative_slope, site);
  }
  return recorded(std::move(result), "leaky_relu", site, {&self}, [&] {
    return [=, x = SavedTensor(self)](const Tensor& g, Needs) {
      return Tensors{slope(g, x.get(), negative_slope, site)};
    };
  });
}

Tensor Tensor::clamp(std::optional<Scalar> min, std::optional<Scalar> max, CallSite site) const {
  if (!min && !max) throw Error("clamp: neither min nor max is given", site);
  Tensor result = *this;
  if (min) result = binary(BinaryOp::maximum, "clamp", {&result, {}}, {nullptr, *min}, 1, site);
  if (max) result = binary(BinaryOp::minimum, "clamp", {&result, {}}, {nullptr, *max}, 1, site);
  return result;
}

Tensor& Tensor::clamp_(std::optional<Scalar> min, std::optional<Scalar> max, CallSite site) const {
  if (!min && !max) throw Error("clamp_: neither min nor max is given", site);
  if (min) binary_in_place(BinaryOp::maximum, "clamp_", *this, {nullptr, *min}, 1, site);
  if (max) binary_in_place(BinaryOp::minimum, "clamp_", *this, {nullptr, *max}, 1, site);
  return const_cast<Tensor&>(*this);
}

Tensor& Tensor::fill_(Scalar value, CallSite site) const {
  const TensorImpl& impl = require_defined(*this, "self", "fill_", site);
  forget_record(*this, "fill_", site);
  if (impl.numel > 0) {
    const auto geometry =
        impl.contiguous ? flat_geometry<1>(impl.numel) : merge_dims<1>(impl.sizes, {&impl.strides});
    backend_for(impl.storage->device).fill(impl.dtype, geometry, impl.writable(), value);
  }
  return const_cast<Tensor&>(*this);
}

Tensor& Tensor::zero_(CallSite site) const { return fill_(0, site); }

namespace {

// The input times a mask of `sizes` that is 0 with probability p and 1 / (1 - p) otherwise.
Tensor masked(const char* name, const Tensor& input, IntArrayRef sizes, double p, bool train,
              CallSite site) {
  check_floating(name, site, {"input", input});
  if (!(p >= 0 && p <= 1)) {
    throw Error(str_cat(name, ": p is a probability, and ", p, " is not in [0, 1]"), site);
  }
  if (!train || p == 0) return input;
  Tensor mask = empty(sizes, input.options(), site);
  fill_random(mask, Distribution::bernoulli, p, p == 1 ? 0 : 1 / (1 - p), name, site);
  return binary(BinaryOp::mul, name, {&input, {}}, {&mask, {}}, 1, site);
}

}  // namespace

Tensor dropout(const Tensor& input, double p, bool train, CallSite site) {
  const TensorImpl& impl = require_defined(input, "input", "dropout", site);
  return masked("dropout", input, impl.sizes, p, train, site);
}

Tensor feature_dropout(const Tensor& input, double p, bool train, CallSite site) {
  const TensorImpl& impl = require_defined(input, "input", "feature_dropout", site);
  if (impl.sizes.size() < 2) {
    throw ShapeError(
        str_cat("feature_dropout: expected an input [N, C, ...], got shape ", input.sizes()), site);
  }
  Dims sizes = impl.sizes;
  for (int i = 2; i < sizes.size(); ++i) sizes[i] = 1;
  return masked("feature_dropout", input, sizes, p, train, site);
}

}  // namespace tensorlib
