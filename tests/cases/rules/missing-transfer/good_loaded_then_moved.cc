// The module is moved on one path, and so is its input; or nothing says that it was moved.

#include <torch/script.h>
#include <torch/torch.h>

#include <memory>
#include <string>

namespace loaded_then_moved {

struct Net : torch::nn::Module {
  Net() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(layer(x)); }
  torch::nn::Linear layer{nullptr};
};

torch::Tensor both(const std::string& path) {
  auto net = torch::jit::load(path);
  const bool gpu = torch::cuda::is_available();
  if (gpu) net.to(torch::kCUDA);
  auto x = torch::rand({2, 8});
  if (gpu) x = x.to(torch::kCUDA);
  return net.forward({x}).toTensor();
}

torch::Tensor in_one_branch(std::shared_ptr<Net> net) {
  auto x = torch::rand({2, 8});
  if (torch::cuda::is_available()) {
    net->to(torch::kCUDA);
    x = x.to(torch::kCUDA);
  }
  return net->forward(x);
}

torch::Tensor returns_early(std::shared_ptr<Net> net, torch::Tensor there) {
  if (torch::cuda::is_available()) {
    net->to(torch::kCUDA);
    return net->forward(there.to(torch::kCUDA));
  }
  return net->forward(torch::rand({2, 8}));
}

torch::Tensor moves_it_back(std::shared_ptr<Net> net, bool there) {
  if (there) net->to(torch::kCUDA);
  net->to(torch::kCPU);
  return net->forward(torch::rand({2, 8}));
}

torch::Tensor never_moved(const std::string& path) {
  auto net = torch::jit::load(path);
  return net.forward({torch::rand({2, 8})}).toTensor();
}

class Detector {
 public:
  void load(const std::string& path) {
    net_ = torch::jit::load(path);
    if (torch::cuda::is_available()) device_ = torch::kCUDA;
    net_.to(device_);
  }
  torch::Tensor run() { return net_.forward({torch::rand({2, 8}).to(device_)}).toTensor(); }

 private:
  torch::jit::Module net_;
  torch::Device device_ = torch::kCPU;
};

torch::Tensor detect() {
  Detector detector;
  detector.load("net.pt");
  return detector.run();
}

}  // namespace loaded_then_moved
