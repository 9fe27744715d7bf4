// The wide form is needed before the copy, or something else is made of it.

#include <torch/torch.h>

#include <iostream>

torch::Tensor printed(unsigned char* pixels) {
  torch::Tensor x = torch::from_blob(pixels, {3, 224, 224}, torch::kUInt8).to(torch::kFloat32);
  std::cout << x.mean() << '\n';
  return x.to(torch::kCUDA);
}

torch::Tensor summed(unsigned char* pixels) {
  torch::Tensor x = torch::from_blob(pixels, {3, 224, 224}, torch::kUInt8).to(torch::kFloat32);
  return x.mean(0).to(torch::kCUDA);
}

torch::Tensor both_on_the_device() {
  torch::Tensor x = torch::zeros({64}, torch::kFloat64).to(torch::kCUDA);
  torch::Tensor norm = x.norm();
  return x.to(torch::kFloat32) / norm.to(torch::kFloat32);
}

torch::Tensor with_another(torch::Tensor other, unsigned char* pixels) {
  torch::Tensor x = torch::from_blob(pixels, {3, 224, 224}, torch::kUInt8).to(torch::kFloat32);
  return (x + other).to(torch::kCUDA);
}
