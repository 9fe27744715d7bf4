// Results of TorchScript modules, moved to where they are used; parts of a tuple are not one
// another.

#include <torch/script.h>
#include <torch/torch.h>

std::vector<torch::Tensor> both_parts(torch::jit::Module module) {
  module.to(torch::kCUDA);
  auto outputs = module.forward({torch::rand({1, 3}).cuda()}).toTuple();
  auto boxes = outputs->elements()[0].toTensor().cpu();
  auto scores = outputs->elements()[1].toTensor().cpu();
  return {boxes * torch::ones({3}), scores};
}

torch::Tensor on_the_cpu(const std::string& path) {
  auto module = torch::jit::load(path, torch::kCPU);
  auto list = module.forward({torch::rand({1, 3})}).toTensorList();
  torch::Tensor first = list[0];
  return first + torch::ones({3});
}

torch::Tensor wherever_it_was_saved(const std::string& path) {
  auto module = torch::jit::load(path);
  auto outputs = module.forward({torch::rand({1, 3})}).toTuple();
  return outputs->elements()[0].toTensor() + torch::ones({3});
}

torch::Tensor a_scalar_part(torch::jit::Module module) {
  module.to(torch::kCUDA);
  auto outputs = module.forward({torch::rand({1, 3}).cuda()}).toTuple();
  return outputs->elements()[0].toTensor() * torch::tensor(0.5);
}
