// The memory is the host's, or not known to be a device's.

#include <torch/torch.h>

#include <cstring>
#include <vector>

float copied_back() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor host = x.to(torch::kCPU);
  const float* p = host.data_ptr<float>();
  return p[0] + host.accessor<float, 1>()[1];
}

float unknown(const torch::Tensor& x) { return x.data_ptr<float>()[0]; }

float where_asked(const torch::Tensor& x) {
  torch::Tensor y = x.to(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  if (!y.is_cuda()) return y.data_ptr<float>()[0];
  return y.cpu().data_ptr<float>()[0];
}

float given_something_else(bool other, float* mine) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  p = mine;
  return p[0];
}

float one_of_two(bool gpu, float* mine) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = mine;
  if (gpu) p = x.data_ptr<float>();
  return gpu ? 0.0f : p[0];
}

torch::Tensor over_host_memory(std::vector<float>& values) {
  torch::Tensor x = torch::from_blob(values.data(), {8}).to(torch::kCUDA);
  return x;
}
