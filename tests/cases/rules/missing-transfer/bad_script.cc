// Results of TorchScript modules: values that are tensors, tuples or lists of them.

#include <torch/script.h>
#include <torch/torch.h>

torch::Tensor element_of_a_tuple(torch::jit::Module module) {
  module.to(torch::kCUDA);
  auto input = torch::rand({1, 3, 8, 8}).cuda();
  auto boxes = module.forward({input}).toTuple()->elements()[0].toTensor();
  return boxes * torch::tensor({8, 8, 8, 8});  // LINT: missing-transfer
}

torch::Tensor by_reference(torch::jit::Module module) {
  module.to(torch::kCUDA);
  const auto outputs = module.forward({torch::rand({1, 3}).cuda()});
  const auto& elements = outputs.toTupleRef().elements();
  return elements.at(1).toTensor() + torch::ones({3});  // LINT: missing-transfer
}

torch::Tensor lists(torch::jit::Module module) {
  module.to(torch::kCUDA);
  auto input = torch::rand({1, 3}).cuda();
  auto all = module.forward({input}).toTensorVector();
  auto first = all[0] + torch::ones({3});  // LINT: missing-transfer
  auto list = module.forward({input}).toTensorList();
  return first + list.get(0) + torch::ones({3});  // LINT: missing-transfer
}

torch::Tensor input_left_behind(const std::string& path) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto module = torch::jit::load(path, device);
  std::vector<torch::jit::IValue> inputs;
  inputs.emplace_back(torch::rand({1, 3}));
  return module.forward(inputs).toTensor();  // LINT: missing-transfer
}
