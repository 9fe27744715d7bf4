// The code does not say which device it is, or whether it is a CUDA device.

#include <torch/torch.h>

#include <string>

namespace indexed_devices {

torch::Tensor two_of_them(int rank, int other) {
  torch::Device first(torch::kCUDA, rank);
  torch::Device second(torch::kCUDA, other);
  return torch::mm(torch::ones({2, 2}, first), torch::ones({2, 2}, second));
}

torch::Tensor the_current_one(int rank) {
  torch::Device device(torch::kCUDA, rank);
  return torch::mm(torch::ones({2, 2}, device), torch::ones({2, 2}, torch::kCUDA));
}

torch::Tensor of_some_kind(torch::DeviceType kind, bool gpu) {
  torch::Device device(gpu ? torch::kCUDA : torch::kCPU, 0);
  auto x = torch::ones({2, 2}, device);
  if (device.is_cpu()) x = torch::mm(x, torch::ones({2, 2}));
  if (kind == torch::kCPU) return torch::mm(torch::ones({2, 2}, kind), torch::ones({2, 2}, kind));
  return x;
}

torch::Tensor a_text_of_the_user(const std::string& kind) {
  torch::Device device(kind + ":0");
  auto x = torch::ones({2, 2}, device);
  return torch::mm(x, torch::ones({2, 2}).to(device));
}

torch::Tensor the_cpu(int rank) {
  torch::Device device("cpu");
  if (rank > 0) return torch::mm(torch::ones({2, 2}, device), torch::ones({2, 2}));
  return torch::ones({2, 2}, "cuda:" + std::to_string(rank)).cpu() + torch::ones({2, 2});
}

}  // namespace indexed_devices
