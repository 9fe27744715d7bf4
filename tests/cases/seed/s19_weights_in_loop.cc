// The same weights are moved to the device on every iteration.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::manual_seed(1);
  torch::Tensor weights = torch::ones({64, 64});
  double total = 0;
  for (int i = 0; i < 10; ++i) {
    torch::Tensor batch = torch::full({8, 64}, 1.0 + i, device);
    torch::Tensor scores =
        batch.matmul(weights.to(device));  // LINT: transfer-in-loop, fix  // TRACE: repeated-transfer
    total += scores.mean().item<float>();
  }
  std::cout << "total " << total << '\n';
}
// OUTPUT: total 3520
