// The same with a device that is written out.

#include <iostream>

#include "resnet.h"

int main() {
  torch::NoGradGuard no_grad;
  tensorlib::models::ResNet model = tensorlib::models::resnet18();
  model->to(torch::kCUDA);  // NOTE: missing-transfer  // NAMED
  model->eval();
  torch::Tensor image = torch::randn({1, 3, 224, 224});  // NOTE: missing-transfer  // NAMED
  std::cout << model->forward(image).sizes() << '\n';    // LINT: missing-transfer
}
// RUN-ERROR: DeviceMismatchError
