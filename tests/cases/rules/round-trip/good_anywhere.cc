// The value's source is not known, or is where it stays.

#include <torch/torch.h>

torch::Tensor changed(torch::Tensor x) {
  auto host = x.to(torch::kCPU);
  host.add_(torch::ones({4}));
  return host.to(x.device());
}

torch::Tensor later(torch::Tensor x) {
  auto host = x.to(torch::kCPU);
  auto other = torch::ones({4});
  return host.to(x.device()) + other.to(x.device());
}

torch::Tensor elsewhere(torch::Tensor x, torch::Tensor y) {
  return x.to(torch::kCPU).to(y.device());
}

torch::Tensor of_the_host(torch::Tensor x) {
  torch::Device host = torch::kCPU;
  return x.to(host).to(torch::kCPU);
}

torch::Tensor from_outside(torch::Tensor x, torch::Device device) {
  x = x.to(device);
  x = x.to(torch::kCPU);
  return x;
}

// No call gives a tensor that is certainly on CUDA.
static torch::Tensor back(torch::Tensor x) {
  auto host = x.cpu();
  auto other = torch::ones({2, 2});
  return host.to(x.device());
}

void gives(torch::Tensor given) {
  back(torch::ones({2, 2}));
  back(given);
  if (given.is_cuda()) back(given);
}
