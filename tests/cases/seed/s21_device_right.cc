// A tensor says where it is.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor tensor = torch::ones({2, 2});
  std::cout << "before: " << tensor.device() << '\n';
  tensor = tensor.to(device);
  std::cout << "after: " << tensor.device() << '\n';
  std::cout << "sum: " << tensor.sum().item<float>() << '\n';
}
// OUTPUT: before: cpu
// OUTPUT: after: cuda:0
// OUTPUT: sum: 4
