// A leaf that was moved is no leaf: the gradient arrives at the original, and the copy's stays
// empty.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  torch::Tensor weights = torch::ones({8, 8}).requires_grad_();
  torch::Tensor moved = weights.to(device);  // LINT: leaf-moved
  torch::Tensor loss = torch::ones({4, 8}, device).matmul(moved).sum();
  loss.backward();
  std::cout << "moved: " << (moved.grad().defined() ? "gradient" : "empty") << '\n';  // NOTE: leaf-moved
  std::cout << "original: " << weights.grad().device() << ' ' << weights.grad().sum().item<float>()
            << '\n';
}
// OUTPUT: moved: empty
// OUTPUT: original: cpu 256
