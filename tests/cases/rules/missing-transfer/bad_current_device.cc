// "cuda" is the device that a guard chose, for as long as the guard lives.

#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

torch::Tensor below_the_guard(torch::Tensor x) {
  torch::Tensor first = x.to(torch::Device(torch::kCUDA, 0));
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  torch::Tensor second = torch::ones({2, 3}, torch::kCUDA);
  return first + second;  // LINT: missing-transfer
}

torch::Tensor after_the_guard(torch::Tensor x) {
  torch::Tensor first;
  {
    c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
    first = x.cuda();
  }
  torch::Tensor second = torch::ones({2, 3}, torch::Device(torch::kCUDA, 0));
  return first + second;  // LINT: missing-transfer
}

torch::Tensor changed_index(torch::Tensor x) {
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  torch::Tensor first = x.cuda();
  guard.set_index(2);
  return first + torch::ones({2, 3}, torch::kCUDA);  // LINT: missing-transfer
}
