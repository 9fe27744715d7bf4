// Look-alikes of bad_dicts: what goes by name is there, or may be.

#include <torch/script.h>
#include <torch/torch.h>

#include <string>
#include <vector>

namespace good_dicts {

torch::Tensor by_name(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(torch::kCUDA);
  torch::Dict<std::string, torch::Tensor> inputs;
  inputs.insert("image", torch::rand({1, 3, 8, 8}).cuda());
  return net.forward({inputs}).toTensor();
}

// One of several is on the CPU: the script may want it there.
torch::Tensor with_settings(const std::string& file, torch::Device device) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(device);
  torch::Dict<std::string, torch::Tensor> inputs;
  inputs.insert("image", torch::rand({1, 3, 8, 8}, device));
  inputs.insert("threshold", torch::full({1}, 0.5));
  return net.forward({inputs}).toTensor();
}

// Unknown code may put other values there.
void fill(torch::Dict<std::string, torch::Tensor>& inputs);
torch::Tensor filled(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(torch::kCUDA);
  torch::Dict<std::string, torch::Tensor> inputs;
  inputs.insert("image", torch::rand({1, 3, 8, 8}));
  fill(inputs);
  return net.forward({inputs}).toTensor();
}

torch::Tensor listed(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  net.to(torch::kCUDA);
  std::vector<torch::Tensor> inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(torch::rand({1, 8}).to(torch::kCUDA));
  return net.forward({inputs}).toTensor();
}

// The script gives what it was given.
torch::Tensor kept_on_host(const std::string& file) {
  torch::jit::Module net = torch::jit::load(file);
  torch::Dict<std::string, torch::Tensor> results;
  results.insert("scores", net.forward({torch::rand({1, 3, 8, 8})}).toTensor().cpu());
  return results.at("scores") + torch::rand({1, 8});
}

}  // namespace good_dicts
