// A sum of a tensor on the CPU and one on the GPU.

#include <iostream>

#include "seed.h"

int main() {
  torch::Tensor a = torch::ones({2, 3});  // NOTE: missing-transfer  // NAMED
  torch::Tensor b =
      torch::ones({2, 3}, torch::Device(torch::kCUDA, 0));  // NOTE: missing-transfer  // NAMED
  torch::Tensor sum = a + b;  // LINT: missing-transfer  // RUN-ERROR: DeviceMismatchError  // NAMED
  std::cout << sum << '\n';
}
// OUTPUT: cpu
// OUTPUT: cuda:0
