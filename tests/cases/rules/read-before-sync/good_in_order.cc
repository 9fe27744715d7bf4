// To a device: later work there is in order. And copies that block.

#include <torch/torch.h>

torch::Tensor upload() {
  torch::Tensor x = torch::randn({8}).to(torch::kCUDA, true);
  return (x * 2).cpu();
}

torch::Tensor blocking() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, false);
  return host * 2;
}

torch::Tensor back_again() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor y = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  y.copy_(host, true);
  return y;
}

torch::Tensor of_the_cpu(torch::Tensor unknown) {
  torch::Tensor host = unknown.to(torch::kCPU, true);
  return host * 2;
}
