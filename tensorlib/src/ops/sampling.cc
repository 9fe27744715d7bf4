// Numbers drawn by chance: exponential_, bernoulli, multinomial, normal. Made of uniform_ and
// normal_, so that a seed gives the same on every device, and LibTorch's numbers where those are
// asked for.
#include <cmath>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/geometry.h"
#include "tensorlib/composed.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

Tensor uniform_doubles(IntArrayRef sizes, Device device, CallSite site) {
  return empty(sizes, TensorOptions(device).dtype(kDouble), site).uniform_(0, 1, site);
}

Tensor exponentials(IntArrayRef sizes, Device device, double lambda, CallSite site) {
  return uniform_doubles(sizes, device, site).neg(site).log1p(site).mul(-1 / lambda, site);
}

// Of a device nobody looks.
void check_weights(const Tensor& weights, CallSite site) {
  if (!weights.is_cpu() || weights.numel() == 0) return;
  const double least = weights.min(site).item(site).toDouble();
  const double most = weights.max(site).item(site).toDouble();
  if (!(least >= 0) || !std::isfinite(most)) {
    throw Error("multinomial: a probability is negative, infinite or NaN", site);
  }
  if (weights.sum({-1}, false, site).min(site).item(site).toDouble() <= 0) {
    throw Error("multinomial: the probabilities are all 0", site);
  }
}

}  // namespace

Tensor& Tensor::exponential_(double lambd, CallSite site) const {
  require_defined(*this, "self", "exponential_", site);
  check_floating("exponential_", site, {"self", *this});
  if (!(lambd > 0)) throw Error(str_cat("exponential_: lambd ", lambd, " is not above 0"), site);
  return copy_(exponentials(sizes(), device(), lambd, site), false, site);
}

Tensor Tensor::bernoulli(CallSite site) const {
  require_defined(*this, "self", "bernoulli", site);
  check_floating("bernoulli", site, {"self", *this});
  const ScalarType type = dtype() == kDouble ? kDouble : kFloat;
  const Tensor drawn =
      empty(sizes(), TensorOptions(device()).dtype(type), site).uniform_(0, 1, site);
  const Tensor chance = detach(site).to(type, false, false, site);
  return drawn.lt(chance, site).to(dtype(), false, false, site);
}

Tensor Tensor::multinomial(int64_t num_samples, bool replacement, CallSite site) const {
  require_defined(*this, "self", "multinomial", site);
  check_floating("multinomial", site, {"self", *this});
  if (dim() != 1 && dim() != 2) {
    throw ShapeError(
        str_cat("multinomial: expected a vector or a matrix of probabilities, got shape ", sizes()),
        site);
  }
  const int64_t n = size(-1);
  if (num_samples < 1 || n == 0 || (!replacement && num_samples > n)) {
    throw Error(str_cat("multinomial: ", num_samples, " samples of ", n, " categories",
                        replacement ? "" : " without replacement"),
                site);
  }
  NoGradGuard no_grad;
  const Tensor weights = detach(site);
  check_weights(weights, site);
  if (!replacement) {
    // The first arrivals of processes with these rates.
    const Tensor times = exponentials(sizes(), device(), 1, site).to(dtype(), false, false, site);
    const Tensor speeds = weights.div(times, site);
    return num_samples == 1 ? speeds.argmax(-1, true, site)
                            : std::get<1>(speeds.topk(num_samples, -1, true, true, site));
  }
  std::vector<int64_t> drawn = sizes().vec();
  drawn.back() = num_samples;
  const Tensor chances = uniform_doubles(drawn, device(), site);
  const Tensor running = weights.to(kDouble, false, false, site).cumsum(-1, std::nullopt, site);
  const Tensor shares = running.div(running.narrow(-1, n - 1, 1, site), site);
  // The first category that reaches the number.
  return shares.unsqueeze(-2, site)
      .lt(chances.unsqueeze(-1, site), site)
      .sum({-1}, false, site)
      .clamp(std::nullopt, n - 1, site);
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
