// The copy is made to be timed, or to warm up.

#include <torch/torch.h>

#include <chrono>
#include <ctime>
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

// Elsewhere in the function than the clock, and of what may be there already.
torch::Tensor run(torch::nn::Sequential& net, torch::Tensor x, torch::Device device) {
  auto start = clock();
  auto last = net->forward(x);
  for (int i = 0; i < 100; ++i) {
    auto y = net->forward(x);
    y = y.to(device);
  }
  std::cout << (clock() - start) << '\n';
  return last;
}

void perhaps_there(torch::nn::Sequential& net, torch::Tensor x, torch::Device device) {
  auto y = net->forward(x);
  std::cout << y.sizes() << '\n';
  y = y.to(device);
}

void by_its_name(torch::Tensor x, torch::Device device) { auto _ = x.to(device); }
