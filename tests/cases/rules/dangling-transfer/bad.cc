// A pointer into a copy that has no name.

#include <torch/torch.h>

float kept() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.to(torch::kCPU).data_ptr<float>();  // LINT: dangling-transfer
  return p[0];
}

float of_a_parameter(const torch::Tensor& x) {
  const float* p = x.cpu().data_ptr<float>();  // LINT: dangling-transfer
  return p[0];
}

float* returned(const torch::Tensor& x) {
  return x.cpu().contiguous().view({-1}).data_ptr<float>();  // LINT: dangling-transfer
}

struct Holder {
  float* data = nullptr;
  void keep(const torch::Tensor& x, torch::Device device) {
    data = x.to(device).data_ptr<float>() + 1;  // LINT: dangling-transfer
  }
};

int64_t sizes(const torch::Tensor& x) {
  torch::IntArrayRef sizes = x.cpu().sizes();  // LINT: dangling-transfer
  return sizes[0];
}

float assigned(const torch::Tensor& x) {
  float* p = nullptr;
  p = static_cast<float*>(x.to(torch::kCPU).data_ptr());  // LINT: dangling-transfer
  return *p;
}
