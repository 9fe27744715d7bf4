// A layer on the device and an input on the CPU: the error is caught and printed, then the input is
// moved and the layer runs.

#include <exception>
#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear layer(100, 50);
  layer->to(device);                            // NOTE: missing-transfer  // NAMED
  torch::Tensor input = torch::ones({8, 100});  // NOTE: missing-transfer  // NAMED
  try {
    torch::Tensor output = layer->forward(input);  // LINT: missing-transfer  // NAMED
    std::cout << output.sizes() << '\n';
  } catch (const std::exception& error) {
    std::cout << "caught: " << error.what() << '\n';
  }
  input = input.to(device);
  torch::Tensor output = layer->forward(input);
  std::cout << output.sizes() << " on " << output.device() << '\n';
}
// OUTPUT: caught:
// OUTPUT: cpu
// OUTPUT: [8, 50] on cuda:0
