// The same with a model that is on the GPU: the batch that came back does not fit it.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(64, 10);
  model->to(device);  // NOTE: missing-transfer
  float total = 0;
  for (int step = 0; step < 5; ++step) {
    torch::Tensor batch = torch::randn({32, 64});
    batch = batch.to(device);
    batch = batch.to(torch::kCPU);  // LINT: round-trip  // TRACE: round-trip x1
    torch::Tensor scores =
        model->forward(batch);  // LINT: missing-transfer  // RUN-ERROR: DeviceMismatchError
    total += torch::log_softmax(scores, 1).mean().item<float>();
  }
  std::cout << total << '\n';
}
