// The CPU fills, reads or keeps it.

#include <torch/torch.h>

#include <iostream>

torch::Tensor filled(torch::Device device) {
  auto x = torch::empty({8});
  x[0] = 1;
  return x.to(device);
}

torch::Tensor printed(torch::Device device) {
  auto x = torch::randn({8});
  std::cout << x << '\n';
  return x.to(device);
}

torch::Tensor both(torch::Device device) {
  auto x = torch::randn({8});
  auto y = x.to(device);
  return x + (y * 2).cpu();
}

torch::Tensor staged(torch::Device device) {
  auto x = torch::empty({8}, torch::TensorOptions().pinned_memory(true));
  return x.to(device);
}

torch::Tensor computed(torch::Device device) {
  auto x = torch::zeros({8});
  auto sum = x + x;
  return sum.to(device);
}
