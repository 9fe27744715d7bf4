// The work stands in a try block: a call in it that may throw decides nothing for what runs when
// nothing is thrown.

#include <torch/torch.h>

#include <iostream>
#include <memory>

namespace try_blocks {

struct Net : torch::nn::Module {
  Net() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(layer(x)); }
  torch::nn::Linear layer{nullptr};
};

void evaluate(std::shared_ptr<Net> net) {
  try {
    torch::Device device(torch::kCPU);
    if (torch::cuda::is_available()) {
      std::cout << "on the GPU" << std::endl;
      device = torch::Device(torch::kCUDA);
    }
    net->to(device);
    auto x = torch::rand({2, 8});
    std::cout << net->forward(x) << std::endl;  // LINT: missing-transfer
  } catch (const c10::Error& error) {
    std::cerr << error.what() << std::endl;
  }
}

torch::Tensor scaled(torch::Tensor scale, torch::Tensor x) {
  try {
    std::cout << x.sizes() << std::endl;
    return (scale * x).sum();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    throw;
  }
}

torch::Tensor calls_scaled() {
  auto scale = torch::ones({8}, torch::kCUDA);
  return scaled(scale, torch::rand({8}));  // LINT: missing-transfer
}

int run(int argc) {
  try {
    torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
    auto weights = torch::rand({8, 8}, device);
    for (int i = 0; i < argc; ++i) {
      std::cout << i << std::endl;
      auto x = torch::rand({8, 8});
      weights = torch::mm(weights, x);  // LINT: missing-transfer
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
  return 0;
}

}  // namespace try_blocks
