// Devices that a function keeps for all its calls, and that a call may change; tensors it keeps.

#include <torch/torch.h>

#include <string>

// Set to CUDA by one call, found there by the next.
torch::Device chosen(const std::string& name) {
  static torch::Device device(torch::kCPU);
  if (!name.empty()) device = torch::Device(name);
  return device;
}

torch::Tensor by_name() {
  torch::nn::Linear net(8, 8);
  net->to(chosen(""));
  return net->forward(torch::ones({8, 8}, torch::kCUDA));
}

// The same, through a reference that a call hands out.
torch::Device& current() {
  static torch::Device device(torch::kCPU);
  return device;
}

torch::Tensor by_reference() {
  current() = torch::kCUDA;
  torch::nn::Linear net(8, 8);
  net->to(current());
  return net->forward(torch::ones({8, 8}, torch::kCUDA));
}

// Made and moved once, however often the loop runs.
torch::Tensor table_once(int64_t rounds) {
  auto sum = torch::zeros({8}, torch::kCUDA);
  for (int64_t round = 0; round < rounds; ++round) {
    static auto table = torch::ones({8}).to(torch::kCUDA);
    sum += table;
  }
  return sum;
}
