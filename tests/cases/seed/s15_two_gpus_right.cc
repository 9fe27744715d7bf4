// The second tensor goes where the first one is.

#include <iostream>

#include "seed.h"

int main() {
  torch::Tensor a = torch::ones({4}, torch::Device(torch::kCUDA, 1));
  torch::Tensor b = torch::ones({4}).to(a.device());
  torch::Tensor c = a + b;
  std::cout << c.device() << ' ' << c.sum().item<float>() << '\n';
}
// OUTPUT: cuda:1 8
