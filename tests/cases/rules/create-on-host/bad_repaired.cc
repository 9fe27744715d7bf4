// Made on the CPU for the device, with a repair.

#include <torch/torch.h>

torch::Tensor chain(torch::Device device) {
  auto h = torch::zeros({2, 8, 64}).to(device);  // LINT: create-on-host, fix
  auto steps = torch::arange(64).to(device);     // LINT: create-on-host, fix
  return h * steps;
}
