// A loop moves all modules of a list.

#include <torch/torch.h>

#include <memory>
#include <vector>

namespace lists_moved {

struct Net : torch::nn::Module {
  Net() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(layer(x)); }
  torch::nn::Linear layer{nullptr};
};
using Nets = std::vector<std::shared_ptr<Net>>;

Nets make(int count) {
  Nets nets;
  for (int i = 0; i < count; ++i) nets.push_back(std::make_shared<Net>());
  return nets;
}

void ensemble(int count) {
  Nets nets;
  for (int i = 0; i < count; ++i) nets.push_back(std::make_shared<Net>());
  for (auto& net : nets) net->to(torch::kCUDA);
  auto first = nets[0]->forward(torch::rand({2, 8}));  // LINT: missing-transfer
  for (auto& net : nets)
    net->forward(torch::rand({2, 8}));  // LINT: missing-transfer
}

void from_elsewhere(Nets nets, torch::Device device) {
  for (const auto& net : nets) {
    net->train();
    net->to(device, torch::kFloat32);
  }
  auto x = torch::rand({2, 8}).to(device);
  auto y = nets[1]->forward(x);
  auto loss = torch::mse_loss(y, torch::rand({2, 8}));  // LINT: missing-transfer
}

struct Agents {
  explicit Agents(torch::Device device) {
    for (int i = 0; i < 4; ++i) nets.push_back(std::make_shared<Net>());
    for (auto& net : nets) net->to(device);
  }
  Nets nets;
};

void run_agents() {
  Agents agents(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  for (auto& net : agents.nets)
    net->forward(torch::rand({2, 8}));  // LINT: missing-transfer
}

}  // namespace lists_moved
