// A script that is read from a file is where it was saved. Its input is where the program chooses.

#include <torch/script.h>
#include <torch/torch.h>

#include <string>

namespace loaded_in_place {

torch::Tensor chosen(torch::Tensor image) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto net = torch::jit::load("net.pt");
  return net.forward({image.to(device)}).toTensor();  // LINT: missing-transfer
}

torch::Tensor chosen_later(torch::Tensor image) {
  torch::Device device = torch::kCPU;
  auto net = torch::jit::load("net.pt");
  if (torch::cuda::is_available()) device = torch::kCUDA;
  return net.forward({torch::ones({1, 3, 8, 8}, device)}).toTensor();  // LINT: missing-transfer
}

torch::Tensor one_of_two(torch::Tensor image, torch::Device device) {
  auto encoder = torch::jit::load("encoder.pt");
  auto decoder = torch::jit::load("decoder.pt");
  encoder.to(device);
  auto hidden = encoder.forward({image.to(device)}).toTensor();
  return decoder.forward({hidden}).toTensor();  // LINT: missing-transfer
}

class Detector {
 public:
  explicit Detector(const std::string& file) : net_(torch::jit::load(file)) {
    if (torch::cuda::is_available()) device_ = torch::kCUDA;
  }
  torch::Tensor detect(torch::Tensor image) {
    return net_.forward({image.to(device_)}).toTensor();  // LINT: missing-transfer
  }

 private:
  torch::jit::script::Module net_;
  torch::Device device_ = torch::kCPU;
};

torch::Tensor detect(torch::Tensor image) { return Detector("net.pt").detect(image); }

}  // namespace loaded_in_place
