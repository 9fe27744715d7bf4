// Moves under conditions that belong together: what is not known on every path is not reported.

#include <torch/torch.h>

torch::Tensor correlated(bool use_cuda) {
  torch::nn::Linear layer(8, 2);
  if (use_cuda) layer->to(torch::kCUDA);
  auto input = torch::randn({1, 8});
  if (use_cuda) input = input.to(torch::kCUDA);
  return layer->forward(input);
}

torch::Tensor early_return() {
  auto input = torch::randn({1, 8});
  torch::nn::Linear layer(8, 2);
  if (!torch::cuda::is_available()) return layer->forward(input);
  layer->to(torch::kCUDA);
  return layer->forward(input.cuda());
}

torch::Tensor moved_when_asked(torch::Tensor x, torch::Device device) {
  torch::nn::Linear layer(8, 2);
  layer->to(device);
  if (x.device() != device) x = x.to(device);
  return layer->forward(x);
}

torch::Tensor moved_on_one_path(bool gpu) {
  auto x = torch::ones({2, 3});
  if (gpu) x = x.cuda();
  auto y = torch::ones({2, 3}).cuda();
  auto z = x + y;
  for (int i = 0; i < 3; ++i) {
    auto w = x + y;
    x = y;
  }
  return z;
}

// Code for one kind of device.
void asked_for() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto w = torch::ones({4}, device);
  auto x = torch::ones({4});
  if (device.is_cpu()) auto y = x + w;
  if (!torch::cuda::is_available()) {
    auto y = x + w;
    return;
  }
  if (device == torch::Device(torch::kCUDA)) x = x.to(device);
  auto z = x + w;
}
