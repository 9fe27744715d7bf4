// Other devices, other types, copies that were asked for.

#include <torch/torch.h>

torch::Tensor devices(const torch::Tensor& x, torch::Device here, torch::Device there) {
  auto a = x.to(here);
  auto b = x.to(there);
  return a + b.to(here);
}

torch::Tensor two_gpus() {
  auto x = torch::randn({8});
  auto a = x.to(torch::Device(torch::kCUDA, 0));
  auto b = x.to(torch::Device(torch::kCUDA, 1));
  return a.sum().cpu() + b.sum().cpu();
}

torch::Tensor types(torch::Device device) {
  auto x = torch::randn({8});
  auto single = x.to(device);
  auto half = x.to(device, torch::kHalf);
  return single + half.to(torch::kFloat);
}

torch::Tensor asked_for(torch::Device device) {
  auto x = torch::randn({8});
  auto a = x.to(device);
  auto b = x.to(device, torch::kFloat, false, true);
  b.add_(1);
  return a + b;
}

torch::Tensor already_there(torch::Device device) {
  auto x = torch::randn({8}, device);
  auto a = x.to(device);
  auto b = x.to(device);
  return a + b;
}
