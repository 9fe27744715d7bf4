// The host follows pointers into memory that is on CUDA.

#include <torch/torch.h>

#include <cstring>
#include <fstream>
#include <numeric>
#include <vector>

float first() {
  torch::Tensor x = torch::randn({8}).to(torch::kCUDA);  // NOTE: host-access
  return x.data_ptr<float>()[0];                         // LINT: host-access
}

float through_a_variable() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  const float* p = x.data_ptr<float>();  // NOTE: host-access
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += p[i];  // LINT: host-access
  return sum;
}

float chosen(torch::nn::Linear net) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  net->to(device);
  torch::Tensor scores = net->forward(torch::randn({1, 8}).to(device));
  float* p = scores.data_ptr<float>() + 1;
  return *p;  // LINT: host-access
}

void copied(float* to) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  std::memcpy(to, x.data_ptr<float>(), 8 * sizeof(float));  // LINT: host-access
}

std::vector<float> into_a_vector(const torch::Tensor& gpu) {
  torch::Tensor x = gpu.to(torch::kCUDA);
  return std::vector<float>(x.data_ptr<float>(), x.data_ptr<float>() + x.numel());  // LINT: host-access
}

float added() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* begin = x.data_ptr<float>();
  float* end = begin + 8;
  return std::accumulate(begin, end, 0.0f);  // LINT: host-access
}

void written(std::ofstream& file) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  file.write(reinterpret_cast<const char*>(x.data_ptr()), 8 * sizeof(float));  // LINT: host-access
}

float accessed() {
  torch::Tensor x = torch::randn({8, 8}, torch::kCUDA);
  auto a = x.accessor<float, 2>();  // LINT: host-access
  return a[0][0];
}

torch::Tensor wrapped() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  torch::Tensor y = torch::from_blob(x.data_ptr(), {8});  // LINT: host-access
  return y.clone();
}
