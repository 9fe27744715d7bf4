// The pinned tensor has a name and is used again.

#include <torch/torch.h>

torch::Tensor again(torch::Tensor data, int steps, torch::Device device) {
  torch::Tensor pinned = data.pin_memory();
  torch::Tensor sum = torch::zeros({8}, device);
  for (int step = 0; step < steps; ++step) {
    pinned.mul_(2);
    sum += pinned.to(device);
  }
  return sum;
}
