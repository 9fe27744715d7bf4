// A copy that nothing reads.

#include <torch/torch.h>

torch::Tensor forgotten(torch::nn::Linear net, torch::Tensor images, torch::Tensor target,
                        torch::Device device) {
  torch::Tensor moved = images.to(device);
  torch::Tensor wanted = target.to(device);  // LINT: unused-transfer
  return torch::mse_loss(net->forward(moved), target);  // LINT: missing-transfer
}

torch::Tensor replaced(torch::Tensor x, torch::Tensor other, torch::Device device) {
  torch::Tensor y;
  y = x.to(device);  // LINT: unused-transfer
  y = other.to(device);
  return y * 2;
}

float in_a_loop(torch::Tensor x, int steps) {
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    auto host = (x + step).cpu();  // LINT: unused-transfer
    sum += step;
  }
  return sum;
}

void last_use_is_before(torch::Tensor x) {
  x = x * 2;
  auto y = x.sum();
  x = x.cuda();  // LINT: unused-transfer
}

torch::Tensor on_no_path(torch::Tensor x, bool c, torch::Device device) {
  torch::Tensor y = x.to(device);  // LINT: unused-transfer
  if (c) return x + x;
  return x;
}

torch::Tensor given_again_on_every_path(torch::Tensor x, bool c, torch::Device device) {
  torch::Tensor y = x.to(device);  // LINT: unused-transfer
  if (c)
    y = x + x;
  else
    y = x * x;
  return y;
}
