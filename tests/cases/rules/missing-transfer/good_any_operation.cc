// Tensors in several places: nothing is known of them.

#include <torch/torch.h>

void several_places(torch::Device device, torch::Tensor given) {
  torch::Tensor host = torch::ones({2, 3});
  torch::Tensor there = torch::ones({2, 3}).to(device);
  auto a = host + at::trapezoid(host, there);
  auto b = host + at::trapezoid(given, there);
  auto c = host + at::randint_like(there, 2, torch::kCPU);
  at::digamma_out(there, host);
  auto d = host + there;
}
