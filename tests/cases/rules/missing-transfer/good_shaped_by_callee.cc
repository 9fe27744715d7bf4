// A CPU scalar may meet tensors on CUDA: the callee uses it as it is, or makes no more of it.

#include <torch/torch.h>

namespace {

class ShapedScale {
 public:
  explicit ShapedScale(torch::Device device) : device_(device) {}
  torch::Tensor as_it_is(const torch::Tensor& factor) const {
    return torch::ones({3}, device_) * factor;
  }
  torch::Tensor squared(const torch::Tensor& factor) const {
    return torch::ones({3}, device_) * (factor * factor);
  }
  // Two tensors agree on the device of the one with dimensions.
  torch::Tensor beside_another(const torch::Tensor& factor, const torch::Tensor& rows) const {
    auto scaled = rows * factor;
    return torch::ones({3}, device_) + scaled.index({torch::indexing::Slice(0, 3)});
  }

 private:
  torch::Device device_;
};

torch::Tensor factor_of(const torch::Tensor& a) { return a.matmul(a); }

}  // namespace

void scaled() {
  ShapedScale scale(torch::kCUDA);
  auto factor = factor_of(torch::rand({3}));
  auto a = scale.as_it_is(factor);
  auto b = scale.squared(factor);
  auto c = scale.beside_another(factor, torch::rand({3, 3}).cuda());
}
