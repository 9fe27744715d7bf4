// Model and input in half precision.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(8, 2);
  model->to(device, torch::kHalf);
  torch::Tensor input = torch::ones({4, 8}, torch::TensorOptions(device).dtype(torch::kHalf));
  torch::Tensor output = model->forward(input);
  std::cout << output.sizes() << " on " << output.device() << '\n';
}
// OUTPUT: [4, 2] on cuda:0
