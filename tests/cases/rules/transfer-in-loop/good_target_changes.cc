// Another device each time, or no copy after the first one.

#include <torch/torch.h>

#include <vector>

std::vector<torch::Tensor> replicas(const torch::Tensor& weights) {
  std::vector<torch::Tensor> all;
  for (int i = 0; i < static_cast<int>(torch::cuda::device_count()); ++i) {
    all.push_back(weights.to(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(i))));
  }
  return all;
}

torch::Tensor stays(torch::Device device) {
  auto x = torch::randn({8});
  torch::Tensor total = torch::zeros({8}, device);
  for (int i = 0; i < 10; ++i) {
    x = x.to(device);
    total += x;
  }
  return total;
}

torch::Tensor there_already(torch::Device device) {
  auto x = torch::randn({8}, device);
  torch::Tensor total = torch::zeros({8}, device);
  for (int i = 0; i < 10; ++i) total += x.to(device);
  return total;
}

// A tensor from outside may be there already.
torch::Tensor perhaps_there(torch::Tensor x, torch::Device device, int n) {
  auto w = torch::randn({4});
  torch::Tensor total = torch::zeros({4}, device);
  for (int i = 0; i < n; ++i) {
    auto y = x.to(device);
    total += y.sum() * w.to(x.device()).sum().item<float>();
  }
  return total;
}
