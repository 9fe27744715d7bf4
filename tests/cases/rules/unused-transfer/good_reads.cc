// Something reads the copy, on some path.

#include <torch/torch.h>

#include <iostream>
#include <vector>

torch::Tensor on_one_path(torch::Tensor x, bool use, torch::Device device) {
  torch::Tensor y = x.to(device);
  if (use) return y;
  return torch::zeros({1});
}

torch::Tensor in_the_next_iteration(torch::Tensor x, int steps, torch::Device device) {
  torch::Tensor last = torch::zeros({1});
  torch::Tensor sum = torch::zeros({1}, device);
  for (int step = 0; step < steps; ++step) {
    sum = sum + last.sum();
    last = (x * step).to(device);
  }
  return sum;
}

void printed(torch::Tensor x) {
  auto y = x.cpu();
  std::cout << y << '\n';
}

int64_t asked(torch::Tensor x) {
  auto y = x.cuda();
  return y.size(0);
}

std::vector<torch::Tensor> kept(torch::Tensor x, torch::Device device) {
  std::vector<torch::Tensor> all;
  auto y = x.to(device);
  all.push_back(y);
  auto z = x.to(device);
  return {all[0], z};
}

void by_reference(torch::Tensor& out, torch::Tensor x, torch::Device device) { out = x.to(device); }

void through_a_reference(torch::Tensor x, torch::Device device) {
  torch::Tensor y;
  torch::Tensor& name = y;
  name = x.to(device);
  std::cout << y.sizes() << '\n';
}
