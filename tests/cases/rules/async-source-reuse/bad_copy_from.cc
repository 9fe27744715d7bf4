// copy_ from pinned memory may still read it.

#include <torch/torch.h>

torch::Tensor refilled() {
  torch::Tensor staging = torch::empty({3}).pin_memory();
  torch::Tensor gpu = torch::empty({3}, torch::kCUDA);
  gpu.copy_(staging, /*non_blocking=*/true);
  staging.zero_();  // LINT: async-source-reuse
  return gpu;
}
