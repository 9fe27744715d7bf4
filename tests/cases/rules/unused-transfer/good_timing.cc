// The copy is made to be timed, or to warm up.

#include <torch/torch.h>

#include <chrono>
#include <iostream>

void timed(torch::Tensor x) {
  auto start = std::chrono::steady_clock::now();
  auto y = x.cuda();
  auto end = std::chrono::steady_clock::now();
  std::cout << (end - start).count() << '\n';
}

void waited(torch::Tensor x) {
  auto y = x.cuda();
  torch::cuda::synchronize();
}

void warm_up(torch::Tensor x) {
  auto warm = x.cuda();
  [[maybe_unused]] auto y = x.cuda();
}
