// A file that only speaks of CUDAGuard, DeviceGuard and set_device sets no device.

#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

torch::Tensor two_devices(torch::Tensor x) {
  torch::Tensor first = x.to(torch::Device(torch::kCUDA, 1));
  torch::Tensor second = torch::ones({2, 3}, torch::kCUDA);
  return first + second;  // LINT: missing-transfer
}
