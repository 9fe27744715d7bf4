// Choosing element by element: where, masked_fill.
#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/transfer.h"
#include "ops/elementwise.h"
#include "ops/geometry.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

void check_mask(const char* name, const Tensor& mask, CallSite site) {
  if (mask.dtype() == kBool) return;
  throw DTypeMismatchError(str_cat(name, ": the condition is ", name_of(mask.dtype()),
                                   ", not bool\nhelp: compare it with 0: condition.ne(0)"),
                           site);
}

// The shape that all of them broadcast to.
Dims common_sizes(const char* name, const Tensor& chosen, const Side& a, const Side& b,
                  CallSite site) {
  Dims sizes = chosen.impl()->sizes;
  for (const Tensor* other : {a.tensor, b.tensor}) {
    if (other != nullptr) sizes = broadcast_sizes(chosen.expand(sizes, site), *other, name, site);
  }
  return sizes;
}

// out = chosen ? a : b, all of which broadcast to out's shape; a and b have out's type.
void where_into(const Tensor& out, const Tensor& chosen, const Side& a, const Side& b) {
  const TensorImpl& to = *out.impl();
  if (to.numel == 0) return;
  Input inputs[2] = {{nullptr, a.number}, {nullptr, b.number}};
  Dims strides[3];
  strides[0] = broadcast_strides(*chosen.impl(), to.sizes);
  const Tensor* const tensors[2] = {a.tensor, b.tensor};
  for (int i = 0; i < 2; ++i) {
    strides[i + 1] = Dims::filled(to.sizes.size(), 0);
    if (tensors[i] == nullptr) continue;
    strides[i + 1] = broadcast_strides(*tensors[i]->impl(), to.sizes);
    inputs[i].data = tensors[i]->impl()->data();
  }
  const auto geometry =
      merge_dims<4>(to.sizes, {&to.strides, &strides[0], &strides[1], &strides[2]});
  backend_for(to.storage->device)
      .where(to.dtype, geometry, to.writable(), static_cast<const bool*>(chosen.impl()->data()),
             inputs[0], inputs[1]);
}

// The side in `type`. Converted without a record: the gradient is converted back by OperandShape.
Tensor as_type(const Side& side, ScalarType type, CallSite site) {
  NoGradGuard raw;
  return side.tensor == nullptr ? Tensor() : side.tensor->to(type, false, false, site);
}

// `type`: of the result; by default the one that both promote to.
Tensor choose(const char* name, const Tensor& condition, Side a, Side b,
              std::optional<ScalarType> result_type, CallSite site) {
  check_mask(name, condition, site);
  const Side given_a = a, given_b = b;
  const ScalarType type = result_type ? *result_type : common_type(a, b);
  const Dims sizes = common_sizes(name, condition, a, b, site);
  check_sides(name, a, b, site);
  // Where a and b are numbers the condition says where the result is.
  const Tensor& like = a.tensor != nullptr   ? *a.tensor
                       : b.tensor != nullptr ? *b.tensor
                                             : condition;
  if (condition.device() != like.device()) {
    throw_device_mismatch(name, site, {{"condition", condition}, {"self", like}});
  }
  Tensor result = allocate_result(sizes, type, like, name, site);
  {
    const Tensor x = as_type(a, type, site), y = as_type(b, type, site);
    where_into(result, condition, {a.tensor != nullptr ? &x : nullptr, a.number},
               {b.tensor != nullptr ? &y : nullptr, b.number});
  }
  return recorded(std::move(result), name, site, {given_a.tensor, given_b.tensor}, [&] {
    const auto shape = [](const Side& side) {
      return side.tensor != nullptr ? std::optional<OperandShape>(*side.tensor) : std::nullopt;
    };
    return [=, chosen = SavedTensor(condition), x = shape(given_a), y = shape(given_b)](
               const Tensor& g, Needs needs) {
      Tensors grads(2);
      const Tensor mask = chosen.get();
      if (needs(0)) {
        grads[0] = x->fit(choose(name, mask, {&g, {}}, {nullptr, 0}, g.dtype(), site), site);
      }
      if (needs(1)) {
        grads[1] = y->fit(choose(name, mask, {nullptr, 0}, {&g, {}}, g.dtype(), site), site);
      }
      return grads;
    };
  });
}

Tensor where_of(const Tensor& condition, Side a, Side b, CallSite site) {
  require_defined(condition, "condition", "where", site);
  Tensors moved;
  if (a.tensor != nullptr) require_defined(*a.tensor, "self", "where", site);
  if (b.tensor != nullptr) require_defined(*b.tensor, "other", "where", site);
  if (a.tensor != nullptr && b.tensor != nullptr && a.tensor->dim() > 0 && b.tensor->dim() > 0) {
    const Arguments all = {{"condition", condition}, {"self", *a.tensor}, {"other", *b.tensor}};
    if (are_apart(all)) {
      moved = brought_together("where", site, all);
      return where_of(moved[0], {&moved[1], {}}, {&moved[2], {}}, site);
    }
  }
  return choose("where", condition, a, b, std::nullopt, site);
}

Tensor fill(const Tensor& self, const Tensor& mask, Side value, CallSite site) {
  require_defined(self, "self", "masked_fill", site);
  require_defined(mask, "mask", "masked_fill", site);
  if (value.tensor != nullptr &&
      require_defined(*value.tensor, "value", "masked_fill", site).numel != 1) {
    throw ShapeError(
        str_cat("masked_fill: expected one number as the value, got shape ", value.tensor->sizes()),
        site);
  }
  if (const Arguments all = {{"self", self}, {"mask", mask}}; are_apart(all)) {
    const auto o = brought_together("masked_fill", site, all);
    return fill(o[0], o[1], value, site);
  }
  return choose("masked_fill", mask, value, {&self, {}}, self.dtype(), site);
}

Tensor& fill_in_place(const Tensor& self, const Tensor& mask, Side value, CallSite site) {
  const Tensor result = fill(self, mask, value, site);
  if (result.sizes() != self.sizes()) {
    throw ShapeError(str_cat("masked_fill_: a mask of shape ", mask.sizes(),
                             " does not broadcast into self's ", self.sizes()),
                     site);
  }
  if (records({&self, value.tensor}, "masked_fill_", site)) {
    assign_recorded(self, result, "masked_fill_", site);
  } else {
    self.copy_(result, false, site);
  }
  return const_cast<Tensor&>(self);
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other, CallSite site) {
  return where_of(condition, {&self, {}}, {&other, {}}, site);
}
Tensor where(const Tensor& condition, const Tensor& self, Scalar other, CallSite site) {
  return where_of(condition, {&self, {}}, {nullptr, other}, site);
}
Tensor where(const Tensor& condition, Scalar self, const Tensor& other, CallSite site) {
  return where_of(condition, {nullptr, self}, {&other, {}}, site);
}
Tensor where(const Tensor& condition, Scalar self, Scalar other, CallSite site) {
  require_defined(condition, "condition", "where", site);
  const ScalarType type = promoteTypes(self.type(), other.type());
  return choose("where", condition, {nullptr, self}, {nullptr, other},
                type == kDouble ? kFloat : type, site);
}

Tensor Tensor::masked_fill(const Tensor& mask, Scalar value, CallSite site) const {
  return fill(*this, mask, {nullptr, value}, site);
}
Tensor Tensor::masked_fill(const Tensor& mask, const Tensor& value, CallSite site) const {
  return fill(*this, mask, {&value, {}}, site);
}
Tensor& Tensor::masked_fill_(const Tensor& mask, Scalar value, CallSite site) const {
  return fill_in_place(*this, mask, {nullptr, value}, site);
}
Tensor& Tensor::masked_fill_(const Tensor& mask, const Tensor& value, CallSite site) const {
  return fill_in_place(*this, mask, {&value, {}}, site);
}

}  // namespace tensorlib
