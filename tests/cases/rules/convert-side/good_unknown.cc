// The types are not known, or are as wide.

#include <torch/torch.h>

torch::Tensor parameter(torch::Tensor x, torch::Device device) {
  return x.to(torch::kFloat32).to(device);
}

torch::Tensor same_width() {
  torch::Tensor x = torch::zeros({64}, torch::kInt32);
  return x.to(torch::kFloat32).to(torch::kCUDA);
}

torch::Tensor given_type(torch::ScalarType type) {
  torch::Tensor x = torch::zeros({64}, type);
  return x.to(torch::kFloat32).to(torch::kCUDA);
}

torch::Tensor scalar() {
  torch::Tensor x = torch::tensor(1.0, torch::kFloat64);
  return x.to(torch::kCUDA).to(torch::kFloat32);
}
