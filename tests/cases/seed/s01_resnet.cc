// ResNet-18 on the device, the image left on the CPU.

#include <iostream>

#include "resnet.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  tensorlib::models::ResNet model = tensorlib::models::resnet18();
  model->to(device);  // NOTE: missing-transfer  // NAMED
  model->eval();
  torch::Tensor image = torch::randn({1, 3, 224, 224});  // NOTE: missing-transfer  // NAMED
  torch::Tensor scores = model->forward(image);          // LINT: missing-transfer
  std::cout << scores.sizes() << '\n';
}
// RUN-ERROR: DeviceMismatchError
