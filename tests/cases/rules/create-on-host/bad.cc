// Made on the CPU for the device.

#include <torch/torch.h>

torch::Tensor chain(torch::Device device) {
  auto noise = torch::randn({8, 64}).to(torch::kCUDA);     // LINT: create-on-host
  auto mask = torch::ones({64}, torch::kByte).to(device);  // LINT: create-on-host
  return noise.to(device) * mask;
}

torch::Tensor two_steps(torch::Device device, int count) {
  torch::Tensor sum = torch::zeros({8}, device);
  for (int i = 0; i < count; ++i) {
    auto x = torch::full({8}, i);
    x = x.to(device);  // LINT: create-on-host
    sum += x;
  }
  return sum;
}
