// The loop leaves some module of the list where it was, or has moved it back.

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

namespace lists_moved {

struct Net : torch::nn::Module {
  Net() { layer = register_module("layer", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(layer(x)); }
  torch::nn::Linear layer{nullptr};
  bool large = false;
};
using Nets = std::vector<std::shared_ptr<Net>>;

Nets two() { return {std::make_shared<Net>(), std::make_shared<Net>()}; }

void some_only() {
  Nets nets = two();
  for (auto& net : nets)
    if (net->large) net->to(torch::kCUDA);
  nets[0]->forward(torch::rand({2, 8}));
}

void leaves_early() {
  Nets nets = two();
  for (auto& net : nets) {
    if (!net->large) break;
    net->to(torch::kCUDA);
  }
  nets[0]->forward(torch::rand({2, 8}));
}

void each_elsewhere() {
  Nets nets = two();
  int index = 0;
  torch::Device device(torch::kCPU);
  for (auto& net : nets) {
    net->to(device);
    device = torch::Device(torch::kCUDA, index++);
  }
  nets[0]->forward(torch::rand({2, 8}));
}

void another_list() {
  Nets nets = two();
  Nets others = two();
  for (auto& net : others) net->to(torch::kCUDA);
  nets[0]->forward(torch::rand({2, 8}));
}

void there_and_back() {
  Nets nets = two();
  for (auto& net : nets) net->to(torch::kCUDA);
  for (auto& net : nets) net->forward(torch::rand({2, 8}, torch::kCUDA));
  for (auto& net : nets) net->to(torch::kCPU);
  nets[0]->forward(torch::rand({2, 8}));
}

void added_later() {
  Nets nets = two();
  for (auto& net : nets) net->to(torch::kCUDA);
  nets.push_back(std::make_shared<Net>());
  nets.back()->forward(torch::rand({2, 8}));
}

void in_the_loop() {
  Nets nets = two();
  for (auto& net : nets) {
    net->forward(torch::rand({2, 8}));
    net->to(torch::kCUDA);
  }
}

}  // namespace lists_moved
