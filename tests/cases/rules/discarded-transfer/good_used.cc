// The result has a taker.

#include <torch/torch.h>

#include <iostream>
#include <utility>
#include <vector>

struct Holder {
  Holder(torch::Tensor x, torch::Device device) : tensor(x.to(device)) {}
  torch::Tensor tensor;
};

void take(torch::Tensor);

torch::Tensor returned(torch::Tensor x, torch::Device device) { return x.to(device); }

float used(torch::Tensor x, torch::Device device, std::vector<torch::Tensor>& all, bool flag) {
  x = x.to(device);
  auto declared = x.to(device);
  all.push_back(x.to(device));
  all[0] = all[0].cuda();
  take(x.to(device));
  std::cout << x.cpu() << '\n';
  auto chosen = flag ? x.to(device) : x;
  auto lambda = [&] { return x.to(device); };
  const auto& bound = x.to(device);
  std::swap(all[0], chosen);
  if (x.to(torch::kCPU).item<bool>()) take(bound);
  for (int64_t i = 0; i < x.cpu().size(0); ++i) take(lambda());
  int unused = 0;
  unused++, x = x.to(device);
  return (declared + x).to(torch::kCPU).sum().item<float>();
}

torch::Tensor at_once(torch::Tensor x, torch::Tensor y, torch::Device device) {
  x.to(device).add_(y);
  if (x.to(device).is_cuda()) return y;
  while (x.cpu().item<bool>()) {
  }
  return x.to(device);
}
