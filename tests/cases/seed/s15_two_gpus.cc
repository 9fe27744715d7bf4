// .cuda() means the current device, which is cuda:0, and not "any GPU".

#include <iostream>

#include "seed.h"

int main() {
  torch::Tensor a =
      torch::ones({4}, torch::Device(torch::kCUDA, 1));  // NOTE: missing-transfer  // NAMED
  torch::Tensor b = torch::ones({4}).cuda();             // NOTE: missing-transfer  // NAMED
  torch::Tensor c = a + b;  // LINT: missing-transfer  // RUN-ERROR: DeviceMismatchError  // NAMED
  std::cout << c << '\n';
}
// OUTPUT: cuda:0
// OUTPUT: cuda:1
