// 1000 samples in pinned batches of 32, and a model on the device: the move in the loop was
// forgotten.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(64, 10);
  model->to(device);  // NOTE: missing-transfer  // NAMED
  torch::Tensor samples = torch::rand({1000, 64});
  float total = 0;
  for (int64_t first = 0; first < 1000; first += 32) {
    torch::Tensor batch = samples.slice(0, first, first + 32).pin_memory();
    torch::Tensor scores = model->forward(batch);  // LINT: missing-transfer  // NAMED
    total += scores.sum().item<float>();
  }
  std::cout << total << '\n';
}
// RUN-ERROR: DeviceMismatchError
