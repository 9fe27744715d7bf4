// The input goes to where the model is, wherever that is.

#include <iostream>

#include "seed.h"

namespace {

torch::Device device_of(const torch::nn::Module& module) {
#ifdef XFER_CASES_TORCH
  return module.parameters()[0].device();
#else
  return module.device();
#endif
}

}  // namespace

int main() {
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(8, 2);
  torch::Tensor input = torch::ones({4, 8});
  std::cout << model->forward(input.to(device_of(*model))).device() << '\n';
  if (torch::cuda::is_available()) model->to(torch::kCUDA);
  std::cout << model->forward(input.to(device_of(*model))).device() << '\n';
}
// OUTPUT: cpu
// OUTPUT: cuda:0
