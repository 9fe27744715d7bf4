// Conversions that save nothing, or that the CPU needs as well.

#include <torch/torch.h>

torch::Tensor narrowed_first(double* values) {
  torch::Tensor x = torch::from_blob(values, {9}, torch::kDouble);
  return x.toType(torch::kFloat).to(torch::kCUDA);
}

torch::Tensor widened_after(unsigned char* bytes) {
  torch::Tensor x = torch::from_blob(bytes, {9}, torch::kByte);
  return x.to(torch::kCUDA).toType(torch::kFloat);
}

torch::Tensor used_here_too(unsigned char* bytes) {
  torch::Tensor x = torch::from_blob(bytes, {3, 3}, torch::kByte);
  torch::Tensor wide = x.toType(torch::kFloat);
  const float most = wide.max().item<float>();
  return wide.to(torch::kCUDA) / most;
}

torch::Tensor as_another(unsigned char* bytes, torch::Tensor like) {
  torch::Tensor x = torch::from_blob(bytes, {3, 3}, torch::kByte);
  return x.tril().toType(like.scalar_type()).to(torch::kCUDA);
}

torch::Tensor same_type(float* values) {
  torch::Tensor x = torch::from_blob(values, {3, 3}, torch::kFloat);
  return x.triu(1).toType(torch::kFloat).to(torch::kCUDA);
}
