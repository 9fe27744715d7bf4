// The batch is given to a module that may be on CUDA.

#include <torch/torch.h>

#include <tuple>

#include "loader.h"

void learn(Net net, Loader& loader, torch::Device device) {
  std::tuple<torch::Tensor, torch::Tensor> batch;
  torch::Tensor image;
  while (loader(batch)) {
    image = std::get<0>(batch);
    net->forward(image.to(device));
    net->forward(image);  // LINT: missing-transfer
  }
}

int main() {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  Net net;
  Loader loader;
  net->to(device);
  learn(net, loader, device);
  return 0;
}
