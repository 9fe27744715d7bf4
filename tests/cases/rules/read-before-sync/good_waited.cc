// Something waits in between.

#include <torch/torch.h>

void unknown();
extern "C" int cudaDeviceSynchronize();

float synchronised() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  torch::cuda::synchronize();
  return host.sum().item<float>();
}

float by_the_runtime() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  cudaDeviceSynchronize();
  return host.sum().item<float>();
}

float by_another_copy() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  float first = x[0].item<float>();
  return host.sum().item<float>() + first;
}

float perhaps() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  unknown();
  return host.sum().item<float>();
}

torch::Tensor by_a_copy_of_something_else() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  auto blocking = (x + x).cpu();
  return blocking + host;
}

torch::Tensor on_one_path(bool wait) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU, true);
  if (wait) torch::cuda::synchronize();
  return host + host;
}
