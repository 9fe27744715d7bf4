// The whole program says that the batches are on the CPU.

#include "data.h"

int main() {
  const torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::nn::Linear net(4, 4);
  net->to(device);
  auto loader = torch::data::make_data_loader(
      Data("images").map(torch::data::transforms::Stack<>()), 4);
  for (auto& batch : *loader) {
    auto images = batch.data.to(device);
    for (int step = 0; step < 4; ++step) {
      auto labels = batch.target.to(device);  // LINT: transfer-in-loop
      torch::mse_loss(net->forward(images).sum(1), labels);
    }
  }
}
