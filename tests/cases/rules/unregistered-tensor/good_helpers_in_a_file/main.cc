// The members, used and moved.

#include <torch/torch.h>

#include <iostream>

#include "base.h"

struct FarNet : FarBase {
  FarNet() {
    first = add("first", torch::nn::Linear(3, 3));
    second = made("second");
    weight = keep("weight", torch::ones({3, 3}));
  }
  torch::Tensor forward(torch::Tensor x) { return second(first(x * weight)); }
  torch::nn::Linear first{nullptr}, second{nullptr};
  torch::Tensor weight;
};

int main() {
  FarNet net;
  net.to(torch::kCUDA);
  auto x = torch::ones({3, 3}, torch::kCUDA);
  std::cout << net.forward(x).sum().item<float>();
}
