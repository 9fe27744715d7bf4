// Not on every iteration.

#include <torch/torch.h>

void sometimes(torch::Tensor state, torch::Device device, bool (*converged)(const torch::Tensor&)) {
  auto reference = torch::randn({8});
  for (int i = 0; i < 1000; ++i) {
    state.mul_(0.99);
    if (i % 100 == 0) state.copy_(reference.to(device));
  }
  for (int i = 0; i < 1000; ++i) {
    if (!converged(state)) continue;
    state.add_(reference.to(device));
  }
}

torch::Tensor once(torch::Device device) {
  auto x = torch::randn({8});
  while (true) {
    auto y = x.to(device);
    return y;
  }
}

torch::Tensor first_pass_only(torch::Device device) {
  auto x = torch::randn({8});
  torch::Tensor y;
  for (int i = 0; i < 10; ++i) {
    y = x.to(device);
    break;
  }
  return y;
}
