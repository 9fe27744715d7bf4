// Sums of tensors on one device; a CPU tensor without dimensions mixes as a number does.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  torch::Tensor a = torch::ones({2, 3});
  torch::Tensor b = torch::ones({2, 3}, device);
  torch::Tensor sum = a.to(device) + b;
  torch::Tensor scale = torch::tensor(2.0);
  torch::Tensor doubled = b * scale;
  std::cout << sum.device() << ' ' << sum.sum().item<float>() << ' ' << doubled.device() << ' '
            << doubled.sum().item<float>() << '\n';
}
// OUTPUT: cuda:0 12 cuda:0 12
