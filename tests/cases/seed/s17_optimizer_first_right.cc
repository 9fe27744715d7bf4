// An optimizer that was made before the model was moved: in C++ a module swaps what is inside its
// parameters, and the optimizer holds the same ones.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  model->to(device);
  torch::Tensor input = torch::ones({2, 4}, device);
  float losses[2] = {};
  for (float& loss : losses) {
    optimizer.zero_grad();
    torch::Tensor squares = model->forward(input).square().mean();
    squares.backward();
    optimizer.step();
    loss = squares.item<float>();
  }
  std::cout << model->weight.device() << ", "
            << (losses[1] < losses[0] ? "learns" : "does not learn") << '\n';
}
// OUTPUT: cuda:0, learns
