// non_blocking, and pageable.

#include <torch/torch.h>

torch::Tensor factory(torch::Device device) {
  auto x = torch::randn({64, 64});
  auto y = x.to(device, /*non_blocking=*/true);  // LINT: pageable-async
  auto z = (x * 2).to(torch::kCUDA, true);       // LINT: pageable-async
  return y.sum() + z.sum().to(device) + x.sum().to(device);
}

torch::Tensor cloned(const torch::Tensor& given) {
  auto x = given.to(torch::kCPU).clone();
  return x.to(torch::kCUDA, true);  // LINT: pageable-async
}
