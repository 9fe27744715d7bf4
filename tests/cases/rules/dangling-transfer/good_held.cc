// The tensor that the pointer points into has a name.

#include <torch/torch.h>

float named(const torch::Tensor& x) {
  torch::Tensor host = x.to(torch::kCPU);
  float* p = host.data_ptr<float>();
  return p[0];
}

float extended(const torch::Tensor& x) {
  const torch::Tensor& host = x.cpu();
  const float* p = host.data_ptr<float>();
  return p[0];
}

float named_in_the_statement(const torch::Tensor& x) {
  torch::Tensor host;
  float* p = (host = x.cpu()).data_ptr<float>();
  return p[0];
}

float a_view_of_a_name(const torch::Tensor& x) {
  torch::Tensor host = x.cpu();
  float* p = host.view({-1}).data_ptr<float>();
  return p[0];
}
