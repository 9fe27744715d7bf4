#include <tensorlib/tensorlib.h>

#include <iostream>

namespace torch = tensorlib;

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear layer(4, 2);
  layer->to(device);
  const torch::Tensor output = layer(torch::ones({3, 4}).to(device));
  std::cout << output.sizes() << " on " << output.device() << "\n";
}
