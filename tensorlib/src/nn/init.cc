#include "tensorlib/nn/init.h"

#include <cmath>

#include "core/check.h"
#include "core/transfer.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::nn::init {

namespace {

struct Fan {
  double in, out;
};

// How many numbers go into and come out of one unit of a weight [out, in, window...].
Fan fan_of(const Tensor& tensor, const char* name, CallSite site) {
  if (tensor.dim() < 2) {
    throw ShapeError(str_cat(name, ": expected two dimensions or more, got shape ", tensor.sizes()),
                     site);
  }
  double window = 1;
  for (int64_t d = 2; d < tensor.dim(); ++d) window *= static_cast<double>(tensor.size(d));
  return {static_cast<double>(tensor.size(1)) * window,
          static_cast<double>(tensor.size(0)) * window};
}

double kaiming_std(const Tensor& tensor, double a, FanMode mode, Nonlinearity nonlinearity,
                   const char* name, CallSite site) {
  const Fan fan = fan_of(tensor, name, site);
  return calculate_gain(nonlinearity, a) / std::sqrt(mode == kFanIn ? fan.in : fan.out);
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

double calculate_gain(Nonlinearity nonlinearity, double param) {
  switch (nonlinearity) {
    case Nonlinearity::Tanh: return 5.0 / 3;
    case Nonlinearity::ReLU: return std::sqrt(2.0);
    case Nonlinearity::LeakyReLU: return std::sqrt(2 / (1 + param * param));
    case Nonlinearity::Linear:
    case Nonlinearity::Conv1D:
    case Nonlinearity::Conv2D:
    case Nonlinearity::ConvTranspose2D:
    case Nonlinearity::Sigmoid: break;
  }
  return 1;
}

Tensor kaiming_uniform_(Tensor tensor, double a, FanMode mode, Nonlinearity nonlinearity,
                        CallSite site) {
  NoGradGuard no_grad;
  const double bound =
      std::sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity, "kaiming_uniform_", site);
  return tensor.uniform_(-bound, bound, site);
}
Tensor kaiming_normal_(Tensor tensor, double a, FanMode mode, Nonlinearity nonlinearity,
                       CallSite site) {
  NoGradGuard no_grad;
  return tensor.normal_(0, kaiming_std(tensor, a, mode, nonlinearity, "kaiming_normal_", site),
                        site);
}
Tensor xavier_normal_(Tensor tensor, double gain, CallSite site) {
  NoGradGuard no_grad;
  const Fan fan = fan_of(tensor, "xavier_normal_", site);
  return tensor.normal_(0, gain * std::sqrt(2 / (fan.in + fan.out)), site);
}
Tensor xavier_uniform_(Tensor tensor, double gain, CallSite site) {
  NoGradGuard no_grad;
  const Fan fan = fan_of(tensor, "xavier_uniform_", site);
  const double bound = gain * std::sqrt(6 / (fan.in + fan.out));
  return tensor.uniform_(-bound, bound, site);
}

namespace {

// The columns, each less its parts along those before it, twice for the sake of exactness, and of
// length 1: the Q of a QR decomposition whose R has a positive diagonal.
void orthogonalize(double* matrix, int64_t rows, int64_t columns) {
  const auto product = [&](int64_t a, int64_t b) {
    double sum = 0;
    for (int64_t r = 0; r < rows; ++r) sum += matrix[r * columns + a] * matrix[r * columns + b];
    return sum;
  };
  for (int64_t c = 0; c < columns; ++c) {
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t before = 0; before < c; ++before) {
        const double part = product(c, before);
        for (int64_t r = 0; r < rows; ++r) {
          matrix[r * columns + c] -= part * matrix[r * columns + before];
        }
      }
    }
    const double length = std::sqrt(product(c, c));
    for (int64_t r = 0; length > 0 && r < rows; ++r) matrix[r * columns + c] /= length;
  }
}

}  // namespace

Tensor orthogonal_(Tensor tensor, double gain, CallSite site) {
  NoGradGuard no_grad;
  if (tensor.dim() < 2) {
    throw ShapeError(
        str_cat("orthogonal_: expected two dimensions or more, got shape ", tensor.sizes()), site);
  }
  if (tensor.numel() == 0) return tensor;
  const int64_t rows = tensor.size(0), columns = tensor.numel() / rows;
  Tensor drawn = randn({rows, columns}, TensorOptions(kCPU), site).to(kDouble, false, false, site);
  if (rows < columns) drawn = drawn.t(site).contiguous(site);
  orthogonalize(static_cast<double*>(drawn.data_ptr()), drawn.size(0), drawn.size(1));
  if (rows < columns) drawn = drawn.t(site);
  const Tensor values = drawn.mul(gain, site).reshape(tensor.sizes(), site);
  const CauseScope cause(TransferCause::kCreated);
  return tensor.copy_(values.to(tensor.device(), tensor.dtype(), false, false, site), false, site);
}

}  // namespace tensorlib::nn::init
