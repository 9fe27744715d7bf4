// Functions that need their operands on one device, and functions that place tensors.

#include <torch/torch.h>

#include "functions.h"

torch::Tensor combine(const torch::Tensor& a, const torch::Tensor& b) {
  return a + b;  // NOTE: missing-transfer
}

torch::Tensor combine_somewhere(const torch::Tensor& a, const torch::Tensor& b) {
  if (a.is_cuda() != b.is_cuda()) return a + b.to(a.device());
  return a + b;
}

torch::Tensor last(torch::Tensor a, torch::Tensor b) { return a.matmul(b); }

torch::Tensor upload(const torch::Tensor& x) { return x.to(torch::kCUDA); }
torch::Tensor place(const torch::Tensor& x, torch::Device where) { return x.to(where); }
torch::Tensor make_batch() { return torch::ones({8, 8}); }
torch::Tensor load(bool use_cuda) {
  torch::Device device(use_cuda && torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  return torch::ones({2, 3}).to(device);
}

void upload_in_place(torch::Tensor& x) { x = x.to(torch::kCUDA); }
