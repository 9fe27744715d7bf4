// Pinned batches are still on the CPU: pinning moves nothing.

#include <iostream>

#include "batches.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(64, 10);
  model->to(device);  // NAMED
  auto loader = torch::data::make_data_loader(
      Examples().map(torch::data::transforms::Stack<>()), pinned_batches());
  torch::Tensor batch = loader->begin()->data;
  std::cout << (batch.is_pinned() ? "pinned" : "pageable") << '\n';
  torch::Tensor input = torch::rand({32, 64}).pin_memory();
  torch::Tensor scores = model->forward(input);  // LINT: missing-transfer  // NAMED
  std::cout << scores.sizes() << '\n';
}
// OUTPUT: pinned
// RUN-ERROR: DeviceMismatchError
