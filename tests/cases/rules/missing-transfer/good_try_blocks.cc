// A handler, and the code after it, does not run when nothing is thrown.

#include <torch/torch.h>

#include <iostream>
#include <memory>

namespace try_blocks {

struct Net : torch::nn::Module {
  Net() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(layer(x)); }
  torch::nn::Linear layer{nullptr};
};

/// All falls back to the CPU.
torch::Tensor falls_back(std::shared_ptr<Net> net, torch::Tensor x) {
  torch::Device device(torch::kCUDA);
  try {
    net->to(device);
    x = x.to(device);
    return net->forward(x);
  } catch (const c10::Error& error) {
    std::cerr << error.what() << std::endl;
    device = torch::kCPU;
    net->to(device);
  }
  return net->forward(torch::rand({2, 8}));
}

/// A device that is tried before it is taken.
torch::Device pick() {
  try {
    torch::ones({1}, torch::kCUDA);
    return torch::kCUDA;
  } catch (const c10::Error&) {
    return torch::kCPU;
  }
}

torch::Tensor with_picked(std::shared_ptr<Net> net) {
  const torch::Device device = pick();
  net->to(device);
  return net->forward(torch::rand({2, 8}, device));
}

/// Only the handler meets the CPU's tensor, with a result that it moved there.
torch::Tensor in_a_handler(torch::Tensor x) {
  auto sum = torch::zeros({8});
  try {
    std::cout << x.sizes() << std::endl;
    auto there = x.to(torch::kCUDA);
    return there + there;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    x = x.to(torch::kCPU);
    sum = sum + x;
  }
  return sum;
}

/// The move may have thrown, or not: the place is told by what was moved last.
torch::Tensor asks_afterwards(torch::Tensor x) {
  bool moved = false;
  auto offset = torch::ones({8});
  try {
    x = x.to(torch::kCUDA);
    moved = true;
  } catch (const c10::Error& error) {
    std::cerr << error.what() << std::endl;
  }
  if (moved) offset = offset.to(torch::kCUDA);
  return x + offset;
}

/// The callee needs nothing of what its handler works with.
torch::Tensor tried(torch::Tensor a, torch::Tensor b) {
  try {
    return a.sum();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return (a + b).sum();
  }
}

torch::Tensor calls_tried() { return tried(torch::ones({8}, torch::kCUDA), torch::ones({8})); }

}  // namespace try_blocks
