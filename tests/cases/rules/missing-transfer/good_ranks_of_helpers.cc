// Helpers that are given CPU scalars, or whose results may be such.

#include <torch/torch.h>

torch::Tensor centred(const torch::Tensor& x) { return (x - x.mean()) / (x.std() + 1e-5); }
torch::Tensor doubled(torch::Tensor x) { return torch::relu(x * 2); }
torch::Tensor both(const torch::Tensor& x) { return centred(doubled(x)); }
torch::Tensor loss_of(const torch::Tensor& x) { return (x * x).sum(); }
torch::Tensor pick(const torch::Tensor& x) { return x[0]; }
torch::Tensor either_of(const torch::Tensor& x, bool sum) { return sum ? x.sum() : x * 2; }
torch::Tensor product(const torch::Tensor& x, const torch::Tensor& y) { return x * y; }
torch::Tensor some_scalar() { return torch::tensor(3.0); }
torch::Tensor shrunk(torch::Tensor x) {
  x = x * 2;
  while (x.dim() > 0) x = x[0];
  return x;
}

torch::Tensor with_scalars(bool sum) {
  auto x = torch::rand({3, 3}).to(torch::kCUDA);
  auto row = torch::rand({3});
  auto scalar = torch::tensor(2.0);
  auto a = x + centred(scalar) + doubled(scalar) + both(scalar);
  auto b = x + loss_of(row) + pick(row) + either_of(row, sum) + some_scalar();
  return a + b + product(scalar, scalar) + shrunk(row);
}
