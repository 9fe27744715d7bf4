// A layer is replaced after the optimizer was made, which goes on holding the old layer's
// parameters: they never get a gradient again, and the new ones are never changed.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  model = torch::nn::Linear(4, 1);
  model->to(device);
  torch::Tensor loss = model->forward(torch::ones({2, 4}, device)).square().mean();
  loss.backward();
  optimizer.step();  // NAMED
  std::cout << loss.item<float>() << '\n';
}
// RUN-ERROR: tensorlib::Error
// OUTPUT: step: parameter 0
