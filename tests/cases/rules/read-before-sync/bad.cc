// The host reads what is still on its way.

#include <torch/torch.h>

float operation(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  torch::Tensor scores = net->forward(torch::randn({1, 8}).cuda());
  torch::Tensor host = scores.to(torch::kCPU, /*non_blocking=*/true);  // NOTE: read-before-sync
  torch::Tensor total = host.sum();                                    // LINT: read-before-sync
  return total.item<float>();
}

float pointer() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  const float* p = host.data_ptr<float>();
  return p[0];  // LINT: read-before-sync
}

float item(torch::Tensor given) {
  torch::Tensor x = given.cuda().sum();
  torch::Tensor host = x.to(torch::TensorOptions(torch::kCPU), true);
  return host.item<float>();  // LINT: read-before-sync
}

torch::Tensor chosen() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor x = torch::randn({8}, device);
  torch::Tensor host = x.to(torch::kCPU, true).view({2, 4});
  return host * 2;  // LINT: read-before-sync
}

// Neither a size nor another tensor of the host waits for it.
float nothing_waits(torch::Tensor given) {
  torch::Tensor x = given.cuda();
  torch::Tensor host = x.to(torch::kCPU, true);
  auto n = torch::ones({2}).sum().item<float>() + host.size(0);
  return n + host.item<float>();  // LINT: read-before-sync
}
