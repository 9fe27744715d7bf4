// A model in half precision and an input in single: the types differ, not the devices.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(8, 2);
  model->to(device, torch::kHalf);
  torch::Tensor input = torch::ones({4, 8}, device);  // NAMED
  torch::Tensor output = model->forward(input);       // NAMED
  std::cout << output.sizes() << '\n';
}
// RUN-ERROR: DTypeMismatchError
// OUTPUT: different element types: float16, float32
