// Made on the CPU, and then a part of it taken, or converted: the device can do both.

#include <torch/torch.h>

torch::Tensor causal_mask() {
  return torch::ones({8, 8}).tril().to(torch::kCUDA);  // LINT: create-on-host
}

torch::Tensor above() {
  torch::Tensor mask = torch::triu(torch::ones({8, 8}), 1);
  return mask.to(torch::kCUDA);  // LINT: create-on-host
}

torch::Tensor half() {
  return torch::ones({8, 8}).toType(torch::kHalf).to(torch::kCUDA);  // LINT: create-on-host
}

torch::Tensor like(torch::Tensor x) {
  return torch::zeros({8, 8}, x.cpu().type()).to(torch::kCUDA);  // LINT: create-on-host
}
