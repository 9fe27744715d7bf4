// Copies that block, or go to the host.

#include <torch/torch.h>

torch::Tensor blocking() { return torch::randn({64}).to(torch::kCUDA); }

torch::Tensor down() {
  auto x = torch::randn({64}, torch::kCUDA);
  return x.to(torch::kCPU, true);
}

torch::Tensor decided(bool non_blocking) {
  return torch::randn({64}).to(torch::kCUDA, non_blocking);
}
