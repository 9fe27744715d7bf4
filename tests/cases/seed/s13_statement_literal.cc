// The same with a device that is written out.

#include <iostream>

#include "seed.h"

int main() {
  torch::Tensor tensor = torch::ones({64, 64});
  tensor.to(torch::kCUDA);  // LINT: discarded-transfer, fix  // TRACE: unused-transfer
  std::cout << tensor.device() << '\n';
}
// OUTPUT: cpu
