// `to` returns the tensor itself.

#include <torch/torch.h>

float already_there() {
  torch::Tensor x = torch::randn({8});
  float* p = x.to(torch::kCPU).data_ptr<float>();
  return p[0];
}

float only_a_type(const torch::Tensor& x) {
  float* p = x.to(torch::kFloat).data_ptr<float>();
  return p[0];
}

float where_asked(const torch::Tensor& x) {
  if (x.is_cpu()) {
    float* p = x.to(torch::kCPU).data_ptr<float>();
    return p[0];
  }
  return 0;
}
