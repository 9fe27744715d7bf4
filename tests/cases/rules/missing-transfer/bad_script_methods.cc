// Methods of TorchScript modules, by name: they run where the module is.

#include <torch/script.h>
#include <torch/torch.h>

torch::Tensor encoded(const std::string& path) {
  torch::Device device(torch::kCUDA);
  auto module = torch::jit::load(path);
  module.to(device);
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(torch::rand({1, 3}));
  return module.get_method("encode")(inputs).toTensor();  // LINT: missing-transfer
}

torch::Tensor kept_method(const std::string& path) {
  torch::Device device(torch::kCUDA);
  auto module = torch::jit::load(path);
  module.to(device);
  torch::jit::Method decode = module.get_method("decode");
  auto image = decode({torch::rand({1, 3}).to(device)}).toTensor();
  return image + torch::ones({3});  // LINT: missing-transfer
}
