// The copy is done before the memory is used again.

#include <torch/torch.h>

torch::Tensor blocking() {
  torch::Tensor staging = torch::empty({3}).pin_memory();
  torch::Tensor gpu = torch::empty({3}, torch::kCUDA);
  gpu.copy_(staging);
  staging.zero_();
  return gpu;
}

torch::Tensor waited_for() {
  torch::Tensor staging = torch::empty({3}).pin_memory();
  torch::Tensor gpu = torch::empty({3}, torch::kCUDA);
  gpu.copy_(staging, /*non_blocking=*/true);
  torch::cuda::synchronize();
  staging.zero_();
  return gpu;
}

torch::Tensor pageable() {
  torch::Tensor staging = torch::ones({3});
  torch::Tensor gpu = torch::empty({3}, torch::kCUDA);
  gpu.copy_(staging, /*non_blocking=*/true);
  staging.zero_();
  return gpu;
}

torch::Tensor other_memory() {
  torch::Tensor staging = torch::empty({3}).pin_memory();
  torch::Tensor other = torch::empty({3}).pin_memory();
  torch::Tensor gpu = torch::empty({3}, torch::kCUDA);
  gpu.copy_(staging, /*non_blocking=*/true);
  other.zero_();
  return gpu;
}
