// Another function's guard may be around the call.

#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

torch::Tensor add(torch::Tensor x) {
  return x.to(torch::Device(torch::kCUDA, 1)) + torch::ones({2, 3}, torch::kCUDA);
}

torch::Tensor guarded(torch::Tensor x) {
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  return add(x);
}
