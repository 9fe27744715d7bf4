// Made where it is used.

#include <torch/torch.h>

torch::Tensor there(torch::Device device) {
  auto h = torch::zeros({2, 8, 64}, device);
  auto noise = torch::randn({8, 64}, torch::TensorOptions(device).dtype(torch::kFloat32));
  return h + noise;
}

torch::Tensor stays() { return torch::zeros({8}).to(torch::kCPU); }

torch::Tensor only_a_type() { return torch::zeros({8}).to(torch::kHalf); }
