// The narrow form crosses.

#include <torch/torch.h>

torch::Tensor widened_there(unsigned char* pixels, torch::Device device) {
  torch::Tensor image = torch::from_blob(pixels, {3, 224, 224}, torch::kUInt8);
  return image.to(device).to(torch::kFloat32).div(255);
}

torch::Tensor narrowed_first() {
  torch::Tensor values = torch::zeros({1024, 64}, torch::kFloat64);
  return values.to(torch::kFloat32).to(torch::kCUDA);
}

torch::Tensor one_call(unsigned char* pixels) {
  torch::Tensor image = torch::from_blob(pixels, {3, 224, 224}, torch::kUInt8);
  return image.to(torch::kCUDA, torch::kFloat32);
}
