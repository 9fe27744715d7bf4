// Code that the programs of this folder share: their device, and weights that are the same on
// every library.
#pragma once

#include <torch/torch.h>

#include <vector>

inline torch::Device place() { return {torch::cuda::is_available() ? torch::kCUDA : torch::kCPU}; }

// A wave, as float32 of that shape.
inline torch::Tensor wave(const std::vector<int64_t>& shape, double step = 0.37, double start = 0) {
  int64_t n = 1;
  for (const int64_t size : shape) n *= size;
  const torch::Tensor at = torch::arange(n, torch::kDouble) * step + start;
  return torch::sin(at).to(torch::kFloat).view(shape).to(place());
}

inline void seed_weights(torch::nn::Module& module) {
  torch::NoGradGuard no_grad;
  module.to(place());
  double start = 0;
  for (auto& parameter : module.named_parameters()) {
    parameter.value().copy_(wave(parameter.value().sizes().vec(), 0.7, start) * 0.2);
    start += 3;
  }
}
