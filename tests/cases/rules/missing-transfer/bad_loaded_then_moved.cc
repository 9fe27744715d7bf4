// A module that was read from a file, or that others made, is moved where the machine has a GPU.

#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace loaded_then_moved {

struct Net : torch::nn::Module {
  Net() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(layer(x)); }
  torch::nn::Linear layer{nullptr};
};

torch::Tensor from_a_file(const std::string& path) {
  auto net = torch::jit::load(path);
  if (torch::cuda::is_available()) net.to(torch::kCUDA);
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(torch::rand({2, 8}));
  return net.forward(inputs).toTensor();  // LINT: missing-transfer
}

torch::Tensor of_the_caller(std::shared_ptr<Net> net) {
  if (torch::cuda::is_available()) net->to(torch::kCUDA);
  return net->forward(torch::rand({2, 8}));  // LINT: missing-transfer
}

class Detector {
 public:
  bool load(const std::string& path) {
    try {
      net_ = torch::jit::load(path);
    } catch (const c10::Error& error) {
      std::cerr << error.what() << std::endl;
      return false;
    }
    if (torch::cuda::is_available()) device_ = torch::kCUDA;
    net_.to(device_);
    net_.eval();
    return true;
  }
  torch::Tensor run() {
    auto x = torch::rand({2, 8});
    return net_.forward({x}).toTensor();  // LINT: missing-transfer
  }

 private:
  torch::jit::Module net_;
  torch::Device device_ = torch::kCPU;
};

torch::Tensor detect() {
  Detector detector;
  if (!detector.load("net.pt")) return {};
  return detector.run();
}

}  // namespace loaded_then_moved
