// Every step moves its batch to the GPU and back before the forward, whose model is on the CPU.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  torch::nn::Linear model(64, 10);
  float total = 0;
  for (int step = 0; step < 5; ++step) {
    torch::Tensor batch = torch::randn({32, 64});
    batch = batch.to(device);
    batch = batch.to(torch::kCPU);  // LINT: round-trip  // TRACE: round-trip x5
    torch::Tensor scores = model->forward(batch);
    total += torch::log_softmax(scores, 1).mean().item<float>();
  }
  std::cout << "mean is " << (total < 0 ? "below" : "above") << " zero\n";
}
// OUTPUT: mean is below zero
