// Spellings of one device agree; an index that is not known is none to speak of.

#include <torch/torch.h>

#include <string>

namespace {

constexpr int kIndex = 1;
constexpr const char* kText = "cuda:1";
const char* changeable = "cuda:1";

torch::Tensor one_device(torch::Tensor x) {
  torch::Tensor first = x.to(torch::Device(kText));
  return first + torch::ones(3, torch::Device(torch::kCUDA, kIndex));
}

torch::Tensor another_text(torch::Tensor x) {
  torch::Tensor first = x.to(torch::Device(changeable));
  return first + torch::ones(3, torch::Device(torch::kCUDA, 0));
}

torch::Tensor set_to_the_same(torch::Tensor x) {
  torch::Device device(torch::kCUDA);
  device.set_index(1);
  return x.to(device) + torch::ones(3, torch::Device(torch::kCUDA, 1));
}

torch::Tensor any_index(torch::Tensor x, int index) {
  torch::Device device(torch::kCUDA, 0);
  torch::Tensor first = x.to(device);
  device.set_index(static_cast<c10::DeviceIndex>(index));
  return first + torch::ones(3, device);
}

torch::Tensor given_text(torch::Tensor x, const std::string& place) {
  const std::string name = place.empty() ? "cuda:1" : place;
  return x.to(torch::Device(name)) + torch::ones(3, torch::Device(torch::kCUDA, 0));
}

torch::Tensor of_its_type(torch::Tensor x) {
  torch::Tensor first = x.cuda();
  return first + torch::ones(3, first.type());
}

}  // namespace
