// tensor.to(device) as a statement: the copy is made, and nobody has it.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor tensor = torch::ones({64, 64});
  tensor.to(device);  // LINT: discarded-transfer, fix  // TRACE: unused-transfer
  std::cout << tensor.device() << '\n';
}
// OUTPUT: cpu
