// Methods of TorchScript modules whose input is where the module is, or of which that is not known.

#include <torch/script.h>
#include <torch/torch.h>

torch::Tensor moved_first(const std::string& path) {
  torch::Device device(torch::kCUDA);
  auto module = torch::jit::load(path);
  module.to(device);
  return module.get_method("encode")({torch::rand({1, 3}).to(device)}).toTensor();
}

torch::Tensor saved_somewhere(const std::string& path) {
  auto module = torch::jit::load(path);
  return module.get_method("encode")({torch::rand({1, 3})}).toTensor();
}

torch::Tensor back_on_the_host(const std::string& path) {
  torch::Device device(torch::kCUDA);
  auto module = torch::jit::load(path);
  module.to(device);
  auto code = module.get_method("encode")({torch::rand({1, 3}).to(device)}).toTensor();
  return code.cpu() + torch::ones({3});
}

bool no_tensor(const std::string& path) {
  auto module = torch::jit::load(path);
  module.to(torch::kCUDA);
  return module.get_method("is_streaming")({}).toBool();
}
