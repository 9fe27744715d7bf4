// Element-wise operations, reductions and factories that are made of others, gradients included.
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/generator.h"
#include "core/tensor_impl.h"
#include "tensorlib/composed.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/ops.h"

namespace tensorlib {

Tensor Tensor::max(const Tensor& other, CallSite site) const { return maximum(*this, other, site); }
Tensor Tensor::min(const Tensor& other, CallSite site) const { return minimum(*this, other, site); }

Tensor Tensor::where(const Tensor& condition, const Tensor& other, CallSite site) const {
  return tensorlib::where(condition, *this, other, site);
}

Tensor Tensor::operator[](const Operand& index) const {
  const Tensor& at = index.tensor;
  require_defined(at, "index", "operator[]", index.site);
  if (at.dim() != 0 || !isIntegralType(at.dtype(), false)) {
    throw IndexError(str_cat("operator[]: the index is a tensor of ", name_of(at.dtype()), " ",
                             at.sizes(), ", not one whole number\nhelp: use index({...})"),
                     index.site);
  }
  return select(0, at.item(index.site).toLong(), index.site);
}

Tensor Tensor::clamp(const std::optional<Tensor>& min, const std::optional<Tensor>& max,
                     CallSite site) const {
  if (!min && !max) throw Error("clamp: neither min nor max is given", site);
  Tensor result = *this;
  if (min) result = maximum(result, *min, site);
  if (max) result = minimum(result, *max, site);
  return result;
}

Tensor Tensor::addcmul(const Tensor& tensor1, const Tensor& tensor2, Scalar value,
                       CallSite site) const {
  require_defined(tensor1, "tensor1", "addcmul", site);
  return add(tensor1.mul(tensor2, site), value, site);
}
Tensor Tensor::addcdiv(const Tensor& tensor1, const Tensor& tensor2, Scalar value,
                       CallSite site) const {
  require_defined(tensor1, "tensor1", "addcdiv", site);
  return add(tensor1.div(tensor2, site), value, site);
}
Tensor& Tensor::addcmul_(const Tensor& tensor1, const Tensor& tensor2, Scalar value,
                         CallSite site) const {
  require_defined(tensor1, "tensor1", "addcmul_", site);
  return add_(tensor1.mul(tensor2, site), value, site);
}
Tensor& Tensor::addcdiv_(const Tensor& tensor1, const Tensor& tensor2, Scalar value,
                         CallSite site) const {
  require_defined(tensor1, "tensor1", "addcdiv_", site);
  return add_(tensor1.div(tensor2, site), value, site);
}
Tensor Tensor::lerp(const Tensor& end, Scalar weight, CallSite site) const {
  require_defined(end, "end", "lerp", site);
  const Tensor way = end.sub(*this, 1, site);
  const double w = weight.toDouble();
  // From the nearer end, so that 1 gives the end itself.
  return w < 0.5 ? add(way, w, site) : end.sub(way, 1 - w, site);
}
Tensor Tensor::lerp(const Tensor& end, const Tensor& weight, CallSite site) const {
  require_defined(end, "end", "lerp", site);
  const Tensor way = end.sub(*this, 1, site);
  return tensorlib::where(weight.lt(0.5, site), add(way.mul(weight, site), 1, site),
                          end.sub(way.mul(weight.neg(site).add(1, 1, site), site), 1, site), site);
}

Tensor Tensor::isinf(CallSite site) const {
  require_defined(*this, "self", "isinf", site);
  if (!is_floating_point()) return zeros_like(*this, kBool, site);
  return detach(site).abs(site).eq(INFINITY, site);
}
Tensor Tensor::isfinite(CallSite site) const {
  require_defined(*this, "self", "isfinite", site);
  if (!is_floating_point()) return ones_like(*this, kBool, site);
  return detach(site).abs(site).lt(INFINITY, site);
}
bool Tensor::is_nonzero(CallSite site) const {
  require_defined(*this, "self", "is_nonzero", site);
  return item(site).toBool();
}

namespace {

double largest_of(ScalarType type) {
  switch (type) {
    case kHalf: return 65504;
    case kBFloat16: return 0x1.FEp127;
    case kDouble: return std::numeric_limits<double>::max();
    default: return std::numeric_limits<float>::max();
  }
}

}  // namespace

Tensor Tensor::nan_to_num(std::optional<double> nan, std::optional<double> posinf,
                          std::optional<double> neginf, CallSite site) const {
  require_defined(*this, "self", "nan_to_num", site);
  if (!is_floating_point()) return clone(site);
  const Tensor raw = detach(site);
  const double most = largest_of(dtype());
  return masked_fill(raw.isnan(site), nan.value_or(0), site)
      .masked_fill(raw.eq(INFINITY, site), posinf.value_or(most), site)
      .masked_fill(raw.eq(-INFINITY, site), neginf.value_or(-most), site);
}

std::tuple<Tensor, Tensor> Tensor::median(int64_t dim, bool keepdim, CallSite site) const {
  require_defined(*this, "self", "median", site);
  const int64_t d = wrap_dim(dim, this->dim(), "median", site);
  const int64_t n = this->dim() == 0 ? 1 : size(d);
  if (n == 0) throw IndexError(str_cat("median: dimension ", d, " is empty"), site);
  if (this->dim() == 0) return {clone(site), zeros({}, TensorOptions(device()).dtype(kLong), site)};
  const auto [values, indices] = sort(d, false, site);
  // NaN comes last, and then it is the median.
  const Tensor last = values.narrow(d, n - 1, 1, site).isnan(site).to(kLong, false, false, site);
  const Tensor at = last.mul(n - 1 - (n - 1) / 2, site).add((n - 1) / 2, 1, site);
  const Tensor value = values.gather(d, at, site), index = indices.gather(d, at, site);
  if (keepdim) return {value, index};
  return {value.squeeze(d, site), index.squeeze(d, site)};
}
Tensor Tensor::median(CallSite site) const {
  require_defined(*this, "self", "median", site);
  if (numel() == 0) return full({}, NAN, options(), site);
  return std::get<0>(reshape({-1}, site).median(0, false, site));
}

Tensor Tensor::cumprod(int64_t dim, std::optional<ScalarType> dtype, CallSite site) const {
  require_defined(*this, "self", "cumprod", site);
  const int64_t d = wrap_dim(dim, this->dim(), "cumprod", site);
  const ScalarType type = dtype.value_or(is_floating_point() ? this->dtype() : kLong);
  Tensor x = to(type, false, false, site);
  if (this->dim() == 0) return x.clone(site);
  if (isReducedFloatingType(type)) x = x.to(kFloat, false, false, site);
  const int64_t n = x.size(d);
  // Each is the product of twice as many with every step.
  for (int64_t reach = 1; reach < n; reach *= 2) {
    const Tensor behind = x.narrow(d, reach, n - reach, site);
    x = cat({x.narrow(d, 0, reach, site), behind.mul(x.narrow(d, 0, n - reach, site), site)}, d,
            site);
  }
  if (x.is_same(*this)) return clone(site);
  return x.to(type, false, false, site);
}

Tensor& Tensor::bernoulli_(double p, CallSite site) const {
  require_defined(*this, "self", "bernoulli_", site);
  if (!(p >= 0 && p <= 1)) {
    throw Error(str_cat("bernoulli_: p is a probability, and ", p, " is not in [0, 1]"), site);
  }
  NoGradGuard raw;
  const Tensor drawn = empty(sizes(), TensorOptions(device()).dtype(kFloat), site);
  fill_random(drawn, Distribution::bernoulli, 1 - p, 1, "bernoulli_", site);
  return copy_(drawn, false, site);
}

namespace {

TensorOptions like(const Tensor& self, const TensorOptions& options, const char* name,
                   CallSite site) {
  require_defined(self, "self", name, site);
  TensorOptions own = options;
  if (!own.has_dtype()) own = own.dtype(self.dtype());
  if (!own.has_device()) own = own.device(self.device());
  return own;
}

}  // namespace

Tensor Tensor::new_empty(IntArrayRef sizes, TensorOptions options, CallSite site) const {
  return empty(sizes, like(*this, options, "new_empty", site), site);
}
Tensor Tensor::new_zeros(IntArrayRef sizes, TensorOptions options, CallSite site) const {
  return zeros(sizes, like(*this, options, "new_zeros", site), site);
}
Tensor Tensor::new_ones(IntArrayRef sizes, TensorOptions options, CallSite site) const {
  return ones(sizes, like(*this, options, "new_ones", site), site);
}
Tensor Tensor::new_full(IntArrayRef sizes, Scalar value, TensorOptions options,
                        CallSite site) const {
  return full(sizes, value, like(*this, options, "new_full", site), site);
}

Tensor& add_out(Tensor& out, const Tensor& self, const Tensor& other, Scalar alpha, CallSite site) {
  require_defined(out, "out", "add_out", site);
  const Tensor sum = self.add(other, alpha, site);
  if (sum.requires_grad() || (GradMode::is_enabled() && out.requires_grad())) {
    throw Error(
        "add_out: a tensor requires its gradient, and add_out does not record one\nhelp: use add()",
        site);
  }
  if (out.sizes() != sum.sizes()) out.resize_(sum.sizes(), site);
  return out.copy_(sum, false, site);
}

Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim, CallSite site) {
  require_defined(self, "self", "cross", site);
  require_defined(other, "other", "cross", site);
  const auto both = broadcast_tensors({self, other}, site);
  int64_t d = dim ? wrap_dim(*dim, both[0].dim(), "cross", site) : 0;
  while (!dim && d < both[0].dim() && both[0].size(d) != 3) ++d;
  if (d >= both[0].dim() || both[0].size(d) != 3) {
    throw ShapeError(str_cat("cross: expected a dimension of size 3, got shapes ", self.sizes(),
                             " and ", other.sizes()),
                     site);
  }
  const auto shifted = [&](size_t i, int64_t by) { return both[i].roll(by, d, site); };
  return shifted(0, -1)
      .mul(shifted(1, -2), site)
      .sub(shifted(0, -2).mul(shifted(1, -1), site), 1, site);
}

Tensor bincount(const Tensor& self, const Tensor& weights, int64_t minlength, CallSite site) {
  require_defined(self, "self", "bincount", site);
  check_dim("bincount", site, {"self", self}, 1);
  if (!isIntegralType(self.dtype(), false)) {
    throw DTypeMismatchError(
        str_cat("bincount: expected whole numbers, got ", name_of(self.dtype())), site);
  }
  if (minlength < 0) throw Error(str_cat("bincount: minlength ", minlength), site);
  int64_t n = minlength;
  if (self.numel() > 0) {
    if (self.min(site).item(site).toLong() < 0) {
      throw Error("bincount: a number is negative", site);
    }
    const int64_t largest = self.max(site).item(site).toLong();
    if (largest >= (int64_t{1} << 40)) {
      throw Error(str_cat("bincount: a number is ", largest,
                          ", and that many counts do not fit into memory"),
                  site);
    }
    n = std::max(n, largest + 1);
  }
  const Tensor places = self.to(kLong, false, false, site);
  if (!weights.defined()) {
    const TensorOptions options = TensorOptions(self.device()).dtype(kLong);
    const Tensor ones = tensorlib::ones(self.sizes(), options, site);
    return zeros(n, options, site).index_add_(0, places, ones, 1, site);
  }
  if (weights.sizes() != self.sizes()) {
    throw ShapeError(
        str_cat("bincount: weights of shape ", weights.sizes(), " for numbers of ", self.sizes()),
        site);
  }
  const ScalarType type = weights.dtype() == kFloat ? kFloat : kDouble;
  return zeros(n, TensorOptions(self.device()).dtype(type), site)
      .index_add_(0, places, weights.to(type, false, false, site), 1, site);
}

}  // namespace tensorlib
