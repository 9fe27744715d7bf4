// A leaf that is made on the device, and one that becomes a leaf after its move: both have
// gradients there.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  torch::Tensor made = torch::ones({8, 8}, torch::TensorOptions(device).requires_grad(true));
  torch::Tensor moved = torch::full({8, 8}, 2.0).to(device).requires_grad_();
  torch::Tensor loss = torch::ones({4, 8}, device).matmul(made + moved).sum();
  loss.backward();
  std::cout << made.grad().device() << ' ' << made.grad().sum().item<float>() << '\n';
  std::cout << moved.grad().device() << ' ' << moved.grad().sum().item<float>() << '\n';
}
// OUTPUT: cuda:0 256
// OUTPUT: cuda:0 256
