// A scope for new tensors does place them (LibTorch has none in C++: there the options say it).

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device gpu(torch::kCUDA, 1);
  torch::Tensor a = torch::ones({2, 3}, gpu);
#ifdef XFER_CASES_TORCH
  torch::Tensor b = torch::ones({2, 3}, gpu);
#else
  torch::DefaultDevice scope(gpu);
  torch::Tensor b = torch::ones({2, 3});
#endif
  torch::Tensor sum = a + b;
  std::cout << sum.device() << '\n';
}
// OUTPUT: cuda:1
