// Pinned memory.

#include <torch/torch.h>

torch::Tensor made() {
  auto x = torch::empty({64}, torch::TensorOptions().pinned_memory(true));
  return x.to(torch::kCUDA, true);
}

torch::Tensor copied() {
  auto x = torch::randn({64}).pin_memory();
  return x.view({8, 8}).to(torch::kCUDA, true);
}
