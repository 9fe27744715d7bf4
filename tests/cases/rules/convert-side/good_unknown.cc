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

torch::Tensor either(void* pixels, bool c) {
  auto type = torch::kByte;
  if (c) type = torch::kFloat;
  torch::Tensor image = torch::from_blob(pixels, {8}, type);
  return image.to(torch::kFloat).to(torch::kCUDA);
}

torch::Tensor opaque(void* pixels, torch::TensorOptions options) {
  torch::Tensor x = torch::from_blob(pixels, {8}, options);
  return x.to(torch::kDouble).to(torch::kCUDA);
}
