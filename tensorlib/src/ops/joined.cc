// What joins, spreads, counts or draws tensors, made of other operations.
#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/geometry.h"
#include "tensorlib/composed.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib {

Tensor& add_out(Tensor& out, const Tensor& self, const Tensor& other, Scalar alpha, CallSite site) {
  require_defined(out, "out", "add_out", site);
  const Tensor sum = self.add(other, alpha, site);
  if (sum.requires_grad() || (GradMode::is_enabled() && out.requires_grad())) {
    throw Error("add_out: is not recorded for gradients, and one is wanted\nhelp: use add()", site);
  }
  if (out.sizes() != sum.sizes()) out.resize_(sum.sizes(), site);
  return out.copy_(sum, false, site);
}

std::vector<Tensor> broadcast_tensors(TensorList tensors, CallSite site) {
  if (tensors.empty()) return {};
  for (const Tensor& t : tensors) require_defined(t, "tensors[...]", "broadcast_tensors", site);
  Tensor widest = tensors[0];
  for (const Tensor& t : tensors) {
    widest = widest.expand(broadcast_sizes(widest, t, "broadcast_tensors", site), site);
  }
  std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(t.expand(widest.sizes(), site));
  return result;
}

Tensor vstack(TensorList tensors, CallSite site) {
  std::vector<Tensor> rows;
  for (const Tensor& t : tensors) {
    require_defined(t, "tensors[...]", "vstack", site);
    rows.push_back(t.dim() < 2 ? t.reshape({1, -1}, site) : t);
  }
  return cat(rows, 0, site);
}
Tensor hstack(TensorList tensors, CallSite site) {
  std::vector<Tensor> parts;
  for (const Tensor& t : tensors) {
    require_defined(t, "tensors[...]", "hstack", site);
    parts.push_back(t.dim() == 0 ? t.reshape(1, site) : t);
  }
  return cat(parts, !parts.empty() && parts[0].dim() > 1 ? 1 : 0, site);
}

Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim, CallSite site) {
  require_defined(self, "self", "cross", site);
  require_defined(other, "other", "cross", site);
  const auto both = broadcast_tensors({self, other}, site);
  int64_t d = dim ? wrap_dim(*dim, both[0].dim(), "cross", site) : 0;
  while (!dim && d < both[0].dim() && both[0].size(d) != 3) ++d;
  if (d >= both[0].dim() || both[0].size(d) != 3) {
    throw ShapeError(str_cat("cross: a dimension of size 3 is needed, and the shapes are ",
                             self.sizes(), " and ", other.sizes()),
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
        str_cat("bincount: of whole numbers, and they are ", name_of(self.dtype())), site);
  }
  if (minlength < 0) throw Error(str_cat("bincount: minlength ", minlength), site);
  int64_t n = minlength;
  if (self.numel() > 0) {
    if (self.min(site).item(site).toLong() < 0) {
      throw Error("bincount: a number is negative", site);
    }
    const int64_t largest = self.max(site).item(site).toLong();
    if (largest >= (int64_t{1} << 40)) {
      throw Error(str_cat("bincount: a number is ", largest, ", and so many counts do not fit"),
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

namespace {

void check_deviation(double std, CallSite site) {
  if (!(std >= 0)) throw Error(str_cat("normal: a deviation of ", std), site);
}

Tensor drawn(const Tensor& like, IntArrayRef sizes, CallSite site) {
  check_floating("normal", site, {"mean", like});
  return empty(sizes, TensorOptions(like.device()).dtype(like.dtype()), site).normal_(0, 1, site);
}

}  // namespace

// Of constants: LibTorch's gradient is zeros, and here there is none.
Tensor normal(const Tensor& mean, double std, CallSite site) {
  require_defined(mean, "mean", "normal", site);
  check_deviation(std, site);
  NoGradGuard raw;
  return drawn(mean, mean.sizes(), site).mul_(std, site).add_(mean, 1, site);
}
Tensor normal(double mean, const Tensor& std, CallSite site) {
  require_defined(std, "std", "normal", site);
  NoGradGuard raw;
  return drawn(std, std.sizes(), site).mul_(std, site).add_(mean, 1, site);
}
Tensor normal(const Tensor& mean, const Tensor& std, CallSite site) {
  require_defined(mean, "mean", "normal", site);
  require_defined(std, "std", "normal", site);
  check_same_device("normal", site, {{"mean", mean}, {"std", std}});
  NoGradGuard raw;
  return drawn(mean, broadcast_sizes(mean, std, "normal", site), site)
      .mul_(std, site)
      .add_(mean, 1, site);
}
Tensor normal(double mean, double std, IntArrayRef sizes, TensorOptions options, CallSite site) {
  check_deviation(std, site);
  Tensor result = empty(sizes, options.requires_grad(false), site).normal_(mean, std, site);
  return options.requires_grad() ? result.requires_grad_(true, site) : result;
}

Tensor randint_like(const Tensor& self, int64_t high, TensorOptions options, CallSite site) {
  return randint_like(self, 0, high, options, site);
}
Tensor randint_like(const Tensor& self, int64_t low, int64_t high, TensorOptions options,
                    CallSite site) {
  require_defined(self, "self", "randint_like", site);
  if (!options.has_dtype()) options = options.dtype(self.dtype());
  if (!options.has_device()) options = options.device(self.device());
  return randint(low, high, self.sizes(), options, site);
}

}  // namespace tensorlib
