#include "layers.h"

int main() {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({2, 3}).to(device);

  torch::nn::Sequential net(torch::nn::Linear(3, 3), NestedMask(), NestedScale());
  net->to(device);
  auto y = net->forward(x);

  torch::nn::Sequential host(torch::nn::Linear(3, 3), NestedHost());
  y = host->forward(torch::rand({2, 3}));

  torch::nn::ModuleList list;
  list->push_back(NestedListed());
  list->to(device);
  for (const auto& one : *list) y = one->as<NestedListed>()->forward(x.to(device));
}
