// One module is moved, the other one is not.

#include <torch/torch.h>

#include "net.h"

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  Net one, other;
  one->to(device);
  test(one, torch::ones({8, 8}), device);
  train(other);
  return 0;
}
