// Shapes and views read no data.

#include <torch/torch.h>

int64_t shape() {
  torch::Tensor x = torch::randn({8, 8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  torch::Tensor flat = host.view({-1});
  return flat.size(0) + host.numel() + host.dim();
}

torch::Tensor handed_back() {
  torch::Tensor x = torch::randn({8, 8}, torch::kCUDA);
  return x.to(torch::kCPU, true);
}

torch::Tensor like() {
  torch::Tensor x = torch::randn({8, 8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  return torch::zeros_like(host);
}
