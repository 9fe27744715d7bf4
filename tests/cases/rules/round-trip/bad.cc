// Away and back, unchanged.

#include <torch/torch.h>

torch::Tensor two_steps(torch::Device device) {
  torch::Tensor x = torch::randn({8});
  x = x.to(torch::kCUDA);
  x = x.to(torch::kCPU);  // LINT: round-trip
  return x * 2;
}

torch::Tensor chain() {
  torch::Tensor x = torch::randn({8});
  return x.cuda().cpu() * 2;  // LINT: round-trip
}

torch::Tensor from_the_device() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.cpu();
  torch::Tensor back = host.cuda();  // LINT: round-trip
  return back * 2;
}

torch::Tensor between_layers(torch::nn::Linear& first, torch::nn::Linear& second) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  first->to(device);
  second->to(device);
  torch::Tensor hidden = first->forward(torch::randn({1, 8}).to(device));
  torch::Tensor host = hidden.cpu();
  return second->forward(host.to(device));  // LINT: round-trip
}

torch::Tensor chain_from_the_device() {
  torch::Tensor x = torch::randn({4}, torch::kCUDA);
  return x.cpu().cuda() * 2;  // LINT: round-trip
}
