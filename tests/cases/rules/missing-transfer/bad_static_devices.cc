// Devices that a function keeps for all its calls.

#include <torch/torch.h>

torch::Device default_device() {
  static torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  return device;
}

const torch::Device& shared_device() {
  static const torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  return device;
}

torch::Tensor on_either() {
  torch::nn::Linear first(8, 8), second(8, 8);
  first->to(default_device());
  second->to(shared_device());
  auto x = torch::ones({8, 8});
  return first->forward(x) +    // LINT: missing-transfer
         second->forward(x);    // LINT: missing-transfer
}

torch::Tensor on_its_own() {
  static auto device = torch::Device(torch::kCUDA, 0);
  torch::nn::Linear net(8, 8);
  net->to(device);
  return net->forward(torch::ones({8, 8}));  // LINT: missing-transfer
}
