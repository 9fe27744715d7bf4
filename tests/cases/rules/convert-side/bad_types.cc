// toType converts as `to` does; tril and triu keep the element type.

#include <torch/torch.h>

torch::Tensor widened_by_to_type(unsigned char* bytes) {
  torch::Tensor x = torch::from_blob(bytes, {9}, torch::kByte);
  return x.toType(torch::kFloat).to(torch::kCUDA);  // LINT: convert-side
}

torch::Tensor narrowed_by_to_type(double* values) {
  torch::Tensor x = torch::from_blob(values, {9}, torch::kDouble);
  torch::Tensor there = x.to(torch::kCUDA);  // LINT: convert-side
  return there.toType(torch::kFloat);
}

torch::Tensor below(unsigned char* bytes) {
  torch::Tensor x = torch::from_blob(bytes, {3, 3}, torch::kByte);
  return x.tril().to(torch::kFloat).to(torch::kCUDA);  // LINT: convert-side
}

torch::Tensor above(unsigned char* bytes) {
  torch::Tensor x = torch::from_blob(bytes, {3, 3}, torch::kByte);
  return torch::triu(x.to(torch::kFloat), 1).to(torch::kCUDA);  // LINT: convert-side
}

// The type is in options and a variable.
torch::Tensor of_a_variable(void* pixels) {
  auto type = torch::kByte;
  auto options = torch::TensorOptions().dtype(type);
  torch::Tensor image = torch::from_blob(pixels, {8}, options);
  return image.to(torch::kFloat).to(torch::kCUDA);  // LINT: convert-side
}
