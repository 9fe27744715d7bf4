#include "tensorlib/nn/init.h"

#include <cmath>

#include "core/check.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn::init {

namespace {

struct Fan {
  double in, out;
};

// How many numbers go into and come out of one unit of a weight [out, in, window...].
Fan fan_of(const Tensor& tensor, const char* name, CallSite site) {
  if (tensor.dim() < 2) {
    throw ShapeError(
        str_cat(name, ": a weight has two dimensions at least, and this shape is ", tensor.sizes()),
        site);
  }
  double window = 1;
  for (int64_t d = 2; d < tensor.dim(); ++d) window *= static_cast<double>(tensor.size(d));
  return {static_cast<double>(tensor.size(1)) * window,
          static_cast<double>(tensor.size(0)) * window};
}

double kaiming_std(const Tensor& tensor, double a, const char* name, CallSite site) {
  return std::sqrt(2 / (1 + a * a)) / std::sqrt(fan_of(tensor, name, site).in);
}

}  // namespace

Tensor uniform_(Tensor tensor, double low, double high, CallSite site) {
  NoGradGuard no_grad;
  return tensor.uniform_(low, high, site);
}
Tensor normal_(Tensor tensor, double mean, double std, CallSite site) {
  NoGradGuard no_grad;
  return tensor.normal_(mean, std, site);
}
Tensor constant_(Tensor tensor, Scalar value, CallSite site) {
  NoGradGuard no_grad;
  return tensor.fill_(value, site);
}
Tensor zeros_(Tensor tensor, CallSite site) { return constant_(tensor, 0, site); }
Tensor ones_(Tensor tensor, CallSite site) { return constant_(tensor, 1, site); }

Tensor kaiming_uniform_(Tensor tensor, double a, CallSite site) {
  NoGradGuard no_grad;
  const double bound = std::sqrt(3.0) * kaiming_std(tensor, a, "kaiming_uniform_", site);
  return tensor.uniform_(-bound, bound, site);
}
Tensor kaiming_normal_(Tensor tensor, double a, CallSite site) {
  NoGradGuard no_grad;
  return tensor.normal_(0, kaiming_std(tensor, a, "kaiming_normal_", site), site);
}
Tensor xavier_uniform_(Tensor tensor, double gain, CallSite site) {
  NoGradGuard no_grad;
  const Fan fan = fan_of(tensor, "xavier_uniform_", site);
  const double bound = gain * std::sqrt(6 / (fan.in + fan.out));
  return tensor.uniform_(-bound, bound, site);
}

}  // namespace tensorlib::nn::init
