// Pointers that are followed through casts, fields and functions.

#include <torch/torch.h>

float cast() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  float* q = p + 2;
  float* r = (float*)(void*)q;
  return *(r + 1);  // LINT: host-access
}

// The tensor goes elsewhere, the pointer does not.
float of_the_old_tensor() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p;
  p = x.data_ptr<float>();
  x = torch::randn({8});
  return p[0];  // LINT: host-access
}

class Buffer {
 public:
  Buffer() : data_(torch::ones({8}, torch::kCUDA)) {}
  float first() { return data_.data_ptr<float>()[0]; }  // LINT: host-access

 private:
  torch::Tensor data_;
};

torch::Tensor upload(torch::Tensor x) { return x.to(torch::kCUDA); }

float of_a_callees_result(torch::Tensor x) {
  auto y = upload(x);
  float value = *y.data_ptr<float>();  // LINT: host-access
  return value + *y.cpu().data_ptr<float>();
}
