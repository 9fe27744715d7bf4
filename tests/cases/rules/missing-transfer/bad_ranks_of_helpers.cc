// Helpers whose results have as many dimensions as what they are given.

#include <torch/torch.h>

torch::Tensor normalised(const torch::Tensor& x) { return (x - x.mean()) / (x.std() + 1e-5); }
torch::Tensor scaled(torch::Tensor x, double factor) {
  auto y = x * factor;
  return torch::relu(y);
}
torch::Tensor through_two(const torch::Tensor& x) { return normalised(scaled(x, 2)); }
torch::Tensor identity_of_three() { return torch::eye(3); }

struct Shifted {
  torch::Tensor operator()(torch::Tensor x) const { return x - x.max(); }
};

torch::Tensor with_dimensions() {
  auto x = torch::rand({3, 3}).to(torch::kCUDA);
  auto y = torch::rand({3, 3});
  auto a = x + normalised(y);         // LINT: missing-transfer
  auto b = x + scaled(y, 2);          // LINT: missing-transfer
  auto c = x + through_two(y);        // LINT: missing-transfer
  auto d = x + identity_of_three();   // LINT: missing-transfer
  auto e = x + Shifted()(y);          // LINT: missing-transfer
  auto f = torch::relu(scaled(y, 3)) * x;  // LINT: missing-transfer
  return a + b + c + d + e + f;
}
