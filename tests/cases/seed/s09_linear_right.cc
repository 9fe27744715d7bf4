// A layer and its input on the device.

#include <exception>
#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear layer(100, 50);
  layer->to(device);
  torch::Tensor input = torch::ones({8, 100});
  try {
    torch::Tensor output = layer->forward(input.to(device));
    std::cout << output.sizes() << " on " << output.device() << '\n';
  } catch (const std::exception& error) {
    std::cout << "caught: " << error.what() << '\n';
  }
}
// OUTPUT: [8, 50] on cuda:0
