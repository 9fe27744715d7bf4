// The conversion stands on the side that makes more bytes cross.

#include <torch/torch.h>

torch::Tensor widened_first(unsigned char* pixels, torch::Device device) {
  torch::Tensor image = torch::from_blob(pixels, {3, 224, 224}, torch::kUInt8);
  return image.to(torch::kFloat32).to(device);  // LINT: convert-side
}

torch::Tensor widened_and_scaled(unsigned char* pixels) {
  torch::Tensor image =
      torch::from_blob(pixels, {224, 224, 3}, torch::TensorOptions().dtype(torch::kByte));
  torch::Tensor x = image.to(torch::kFloat);  // NOTE: convert-side
  x = x.permute({2, 0, 1}).div(255).sub(0.5);
  return x.to(torch::kCUDA) * 2;  // LINT: convert-side
}

torch::Tensor narrowed_after() {
  torch::Tensor values = torch::zeros({1024, 64}, torch::kFloat64);
  torch::Tensor x = values.to(torch::kCUDA);  // LINT: convert-side
  return x.to(torch::kFloat32);               // NOTE: convert-side
}

torch::Tensor result_widened(torch::Tensor unknown) {
  torch::Tensor half = torch::zeros({1024}, torch::TensorOptions(torch::kCUDA).dtype(torch::kHalf));
  return half.to(torch::kFloat32).cpu();  // LINT: convert-side
}
