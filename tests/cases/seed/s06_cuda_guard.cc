// A guard that chooses the current GPU places no tensors: they are made on the CPU.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device gpu(torch::kCUDA, 1);
  torch::Tensor a = torch::ones({2, 3}, gpu);  // NOTE: missing-transfer  // NAMED
#ifdef XFER_CASES_TORCH
  c10::DeviceGuard guard(gpu);
#else
  torch::cuda::CUDAGuard guard(gpu);  // NAMED
#endif
  torch::Tensor b = torch::ones({2, 3});  // NOTE: missing-transfer  // NAMED
  torch::Tensor sum = a + b;              // LINT: missing-transfer  // NAMED
  std::cout << sum.device() << '\n';
}
// RUN-ERROR: DeviceMismatchError
// OUTPUT: places no tensors
