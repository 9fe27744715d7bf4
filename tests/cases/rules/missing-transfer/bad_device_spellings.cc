// One device, however it is written.

#include <torch/torch.h>

#include <string>

namespace {

enum Place { kFirst = 0, kSecond = 1 };
constexpr const char* kText = "cuda:1";
const std::string kString = "cuda:1";
const torch::Device kBraced{torch::kCUDA, 0};
constexpr torch::DeviceType kKind = torch::kCUDA;

torch::Tensor braces(torch::Tensor x) {
  return torch::ones(3) + x.to({torch::kCUDA, 0}, torch::kFloat);  // LINT: missing-transfer
}

torch::Tensor two_indices(torch::Tensor x) {
  return x.to(kBraced) + x.to(torch::Device(kKind, kSecond));  // LINT: missing-transfer
}

torch::Tensor constant_texts(torch::Tensor x) {
  torch::Tensor first = x.to(at::Device(kText));
  return first + x.to(c10::Device(torch::DeviceType::CUDA, kFirst));  // LINT: missing-transfer
}

torch::Tensor constant_string(torch::Tensor x) {
  torch::Tensor first = x.to(torch::Device(kString));
  return first + x.to("cuda:0");  // LINT: missing-transfer
}

torch::Tensor another_index(torch::Tensor x) {
  torch::Device device(torch::kCUDA, 0);
  torch::Tensor first = x.to(device);
  device.set_index(1);
  return first + x.to(device);  // LINT: missing-transfer
}

torch::Tensor index_of_options(torch::Tensor x) {
  torch::Tensor first = torch::ones(3, torch::TensorOptions().device_index(1));
  return first + torch::ones(3);  // LINT: missing-transfer
}

torch::Tensor of_a_type(torch::Tensor x) {
  torch::Tensor first = x.cuda();
  return torch::ones(3) + torch::ones(3, first.type());  // LINT: missing-transfer
}

}  // namespace
