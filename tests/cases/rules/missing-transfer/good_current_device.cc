// The guard's device and "cuda" are one.

#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

torch::Tensor below_the_guard(torch::Tensor x) {
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  torch::Tensor first = x.to(torch::Device(torch::kCUDA, 1));
  torch::Tensor second = torch::ones({2, 3}, torch::kCUDA);
  return first + second;
}

torch::Tensor inner_guard(torch::Tensor x) {
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  torch::Tensor first = x.cuda();
  {
    c10::DeviceGuard inner(torch::Device(torch::kCUDA, 2));
    torch::Tensor other = x.cuda() + torch::ones({2, 3}, torch::Device(torch::kCUDA, 2));
  }
  return first + torch::ones({2, 3}, torch::kCUDA);
}

torch::Tensor any_index(torch::Tensor x, c10::DeviceIndex index) {
  torch::Tensor first = x.to(torch::Device(torch::kCUDA, 1));
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, index));
  return first + torch::ones({2, 3}, torch::kCUDA);
}

torch::Tensor where_another_is(torch::Tensor x) {
  torch::Tensor first = x.to(torch::Device(torch::kCUDA, 1));
  const c10::OptionalDeviceGuard guard(first.device());
  return first + torch::ones({2, 3}, torch::kCUDA);
}

torch::Tensor make() { return torch::ones({2, 3}, torch::kCUDA); }

torch::Tensor called_below(torch::Tensor x) {
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  return x.to(torch::Device(torch::kCUDA, 1)) + make();
}

torch::Tensor without_a_guard() {
  torch::Tensor current = torch::ones({4}).cuda();
  return torch::ones({4}, torch::Device(torch::kCUDA, 0)) + current;
}

torch::Tensor by_its_index() {
  torch::Tensor second = torch::ones({4}, torch::Device(torch::kCUDA, 1));
  return second + torch::ones({4}).to(second.device()) + torch::ones({4}, torch::Device("cuda:1"));
}
