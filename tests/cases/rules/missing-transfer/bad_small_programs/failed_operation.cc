// The result of an operation that fails is not on the CPU: it is no second fault.

#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA);
  torch::nn::Linear net(8, 8);
  net->to(device);
  torch::Tensor target = torch::ones({8, 8}).to(device);
  torch::Tensor out = net->forward(torch::ones({8, 8}));  // LINT: missing-transfer
  out = out + target;
  return 0;
}
