// Inputs of a script go by name, or as a list of their own.

#include <torch/script.h>
#include <torch/torch.h>

#include <string>
#include <vector>

namespace dicts {

torch::Tensor by_name(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(torch::kCUDA);
  torch::Dict<std::string, torch::Tensor> inputs;
  inputs.insert("image", torch::rand({1, 3, 8, 8}));
  return net.forward({inputs}).toTensor();  // LINT: missing-transfer
}

torch::Tensor replaced(const std::string& file, torch::Device device) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(device);
  torch::Dict<std::string, torch::Tensor> inputs;
  inputs.insert_or_assign("image", torch::rand({1, 3, 8, 8}));
  return net.forward({std::move(inputs)}).toTensor();  // LINT: missing-transfer
}

torch::Tensor listed(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(torch::kCUDA);
  std::vector<torch::Tensor> inputs{torch::rand({1, 3, 8, 8}), torch::rand({1, 8})};
  return net.forward({inputs}).toTensor();  // LINT: missing-transfer
}

torch::Tensor outputs(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(torch::kCUDA);
  torch::Dict<std::string, torch::Tensor> results;
  results.insert("scores", net.forward({torch::rand({1, 3, 8, 8}).cuda()}).toTensor());
  return results.at("scores") + torch::rand({1, 8});  // LINT: missing-transfer
}

}  // namespace dicts
