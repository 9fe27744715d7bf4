// The CPU is no choice; and what is asked for is there.

#include <torch/torch.h>

torch::Tensor result(torch::Tensor x, torch::Device device) {
  return x.to(device).sum().to(torch::kCPU);
}

torch::Tensor asked(torch::Tensor x, torch::Device device) {
  if (torch::cuda::is_available()) return x.cuda();
  return x.to(device);
}
