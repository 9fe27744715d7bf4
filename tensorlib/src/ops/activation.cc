// Activations that are made of other operations. Of two branches the one that is not taken is kept
// finite: 0 times its infinite slope would be NaN.
#include <cmath>

#include "core/check.h"
#include "tensorlib/composed.h"

namespace tensorlib {

namespace {

void check(const char* name, const Tensor& self, CallSite site) {
  require_defined(self, "self", name, site);
  check_floating(name, site, {"self", self});
}

// Operations of several steps compute types of two bytes in float32, and convert the result back.
bool is_narrow(const Tensor& self) { return isReducedFloatingType(self.dtype()); }
Tensor wide(const Tensor& self, CallSite site) { return self.to(kFloat, false, false, site); }
Tensor narrowed(const Tensor& result, const Tensor& self, CallSite site) {
  return result.to(self.dtype(), false, false, site);
}

}  // namespace

Tensor elu(const Tensor& self, Scalar alpha, Scalar scale, Scalar input_scale, CallSite site) {
  check("elu", self, site);
  if (is_narrow(self))
    return narrowed(elu(wide(self, site), alpha, scale, input_scale, site), self, site);
  const Tensor below = self.mul(input_scale, site).clamp(std::nullopt, Scalar(0), site);
  return where(self.gt(0, site), self.mul(scale, site),
               below.expm1(site).mul(alpha.toDouble() * scale.toDouble(), site), site);
}
Tensor selu(const Tensor& self, CallSite site) {
  return elu(self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1, site);
}

Tensor softplus(const Tensor& self, Scalar beta, Scalar threshold, CallSite site) {
  check("softplus", self, site);
  if (is_narrow(self))
    return narrowed(softplus(wide(self, site), beta, threshold, site), self, site);
  const Tensor scaled = self.mul(beta, site);
  const Tensor soft = scaled.clamp(std::nullopt, threshold, site).exp(site).log1p(site);
  return where(scaled.gt(threshold, site), self, soft.div(beta, site), site);
}

Tensor hardtanh(const Tensor& self, Scalar min_val, Scalar max_val, CallSite site) {
  check("hardtanh", self, site);
  if (min_val.toDouble() > max_val.toDouble()) {
    throw Error(str_cat("hardtanh: from ", min_val.toDouble(), " to ", max_val.toDouble()), site);
  }
  const Tensor inside = self.gt(min_val, site).bitwise_and(self.lt(max_val, site), site);
  return where(inside, self, self.detach(site).clamp(min_val, max_val, site), site);
}
Tensor relu6(const Tensor& self, CallSite site) { return hardtanh(self, 0, 6, site); }

Tensor prelu(const Tensor& self, const Tensor& weight, CallSite site) {
  check("prelu", self, site);
  require_defined(weight, "weight", "prelu", site);
  const int64_t channels = self.dim() > 1 ? self.size(1) : 1;
  if (weight.numel() != 1 && weight.numel() != channels) {
    throw ShapeError(str_cat("prelu: ", weight.numel(), " weights for ", channels,
                             " channels, of the shape ", self.sizes()),
                     site);
  }
  std::vector<int64_t> sizes(static_cast<size_t>(self.dim()), 1);
  if (weight.numel() != 1) sizes[1] = channels;
  return where(self.gt(0, site), self, self.mul(weight.reshape(sizes, site), site), site);
}

Tensor log_sigmoid(const Tensor& self, CallSite site) {
  check("log_sigmoid", self, site);
  if (is_narrow(self)) return narrowed(log_sigmoid(wide(self, site), site), self, site);
  // Not of abs(): the slope at 0 is that of one side.
  const Tensor below = self.lt(0, site);
  const Tensor far = where(below, self, self.neg(site), site);
  return where(below, self, Scalar(0), site).sub(far.exp(site).log1p(site), 1, site);
}
Tensor mish(const Tensor& self, CallSite site) {
  check("mish", self, site);
  if (is_narrow(self)) return narrowed(mish(wide(self, site), site), self, site);
  return self.mul(softplus(self, 1, 20, site).tanh(site), site);
}
Tensor glu(const Tensor& self, int64_t dim, CallSite site) {
  check("glu", self, site);
  const int64_t d = wrap_dim(dim, self.dim(), "glu", site);
  const int64_t n = self.dim() == 0 ? 1 : self.size(d);
  if (n % 2 != 0) {
    throw ShapeError(str_cat("glu: dimension ", d, " of ", self.sizes(), " cannot be halved"),
                     site);
  }
  return self.narrow(d, 0, n / 2, site).mul(self.narrow(d, n / 2, n / 2, site).sigmoid(site), site);
}

Tensor gelu(const Tensor& self, std::string_view approximate, CallSite site) {
  if (approximate == "none") return gelu(self, site);
  check("gelu", self, site);
  if (approximate != "tanh") {
    throw Error(str_cat("gelu: approximate is \"none\" or \"tanh\", not \"", approximate, "\""),
                site);
  }
  if (is_narrow(self)) return narrowed(gelu(wide(self, site), approximate, site), self, site);
  const Tensor cube = self.mul(self, site).mul(self, site);
  const Tensor inner = self.add(cube, 0.044715, site).mul(M_SQRT2 * M_2_SQRTPI * 0.5, site);
  return self.mul(0.5, site).mul(inner.tanh(site).add(1, 1, site), site);
}

}  // namespace tensorlib
