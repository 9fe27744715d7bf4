// ResNet-18 and the image on the device.

#include <iostream>

#include "resnet.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  tensorlib::models::ResNet model = tensorlib::models::resnet18();
  model->to(device);
  model->eval();
  torch::Tensor image = torch::randn({1, 3, 224, 224}).to(device);
  torch::Tensor scores = model->forward(image);
  std::cout << scores.sizes() << " on " << scores.device() << '\n';
}
// OUTPUT: [1, 1000] on cuda:0
