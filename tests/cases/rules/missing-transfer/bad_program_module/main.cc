// main moves the module, and one of the batches.

#include <torch/torch.h>

#include "net.h"

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  Net net;
  net->to(device);
  train(net);
  test(net, torch::ones({8, 8}).to(device), device);
  test(net, torch::ones({8, 8}), device);  // LINT: missing-transfer
  return 0;
}
