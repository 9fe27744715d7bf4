// The moved tensor is kept, and a module's move needs no taker.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor tensor = torch::ones({64, 64});
  tensor = tensor.to(device);
  torch::nn::Linear layer(64, 64);
  layer->to(device);
  torch::NoGradGuard no_grad;
  std::cout << layer->forward(tensor).device() << '\n';
}
// OUTPUT: cuda:0
