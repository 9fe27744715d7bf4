// One pinned buffer, made once.

#include <torch/torch.h>

torch::Tensor staged(const torch::Tensor& batch, torch::Tensor& staging, torch::Device device) {
  staging.copy_(batch);
  return staging.to(device, /*non_blocking=*/true);
}

torch::Tensor to_the_host(const torch::Tensor& batch) { return batch.pin_memory().to(torch::kCPU); }
