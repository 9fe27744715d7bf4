// A CUDA device whose index is not known is no CPU, also where the machine was asked for one.

#include <torch/torch.h>

#include <string>

namespace indexed_devices {

torch::Tensor by_a_variable() {
  if (torch::cuda::is_available()) {
    int id = 0;
    auto device = torch::Device(torch::kCUDA, id);
    torch::nn::Conv2d conv(torch::nn::Conv2dOptions(3, 8, 3).padding(1));
    conv->to(device);
    return conv->forward(torch::ones({1, 3, 32, 32}));  // LINT: missing-transfer
  }
  return {};
}

torch::Tensor by_a_parameter(int rank) {
  torch::Device device(torch::kCUDA, rank);
  auto weights = torch::ones({2, 2}, device);
  return torch::mm(weights, torch::ones({2, 2}));  // LINT: missing-transfer
}

torch::Tensor by_a_text(int rank) {
  if (!torch::cuda::is_available()) return {};
  torch::Device device("cuda:" + std::to_string(rank));
  auto weights = torch::ones({2, 2}, device);
  return torch::mm(weights, torch::ones({2, 2}));  // LINT: missing-transfer
}

}  // namespace indexed_devices
