// The weights are moved once, before the loop.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::manual_seed(1);
  torch::Tensor weights = torch::ones({64, 64}).to(device);
  double total = 0;
  for (int i = 0; i < 10; ++i) {
    torch::Tensor batch = torch::full({8, 64}, 1.0 + i, device);
    torch::Tensor scores = batch.matmul(weights);
    total += scores.mean().item<float>();
  }
  std::cout << "total " << total << '\n';
}
// OUTPUT: total 3520
