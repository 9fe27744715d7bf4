// Each pinned batch is moved without a wait, and the loss is read once at the end.

#include <iostream>

#include "batches.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(64, 10);
  model->to(device);
  auto loader = torch::data::make_data_loader(
      Examples().map(torch::data::transforms::Stack<>()), pinned_batches());
  torch::Tensor total = torch::zeros({}, device);
  int batches = 0;
  for (auto& batch : *loader) {
    torch::Tensor data = batch.data.to(device, torch::kFloat, /*non_blocking=*/true);
    total += model->forward(data).sum();
    ++batches;
  }
  const float sum = total.item<float>();
  std::cout << batches << " batches, " << (sum == sum ? "a number" : "none") << '\n';
}
// OUTPUT: 32 batches, a number
