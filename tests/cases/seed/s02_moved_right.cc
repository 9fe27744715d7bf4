// Each image is moved to the device by the program: under the strict policy, and nothing crosses
// unseen.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Conv2d model(torch::nn::Conv2dOptions(3, 4, 3));
  model->to(device);
#ifndef XFER_CASES_TORCH
  torch::TransferLedger::reset();
#endif
  float total = 0;
  for (int i = 0; i < 5; ++i) {
    torch::Tensor image = torch::rand({1, 3, 16, 16}).to(device);
    torch::Tensor scores = model->forward(image);
    total += scores.sum().item<float>();
  }
#ifndef XFER_CASES_TORCH
  std::cout << torch::TransferLedger::report();
#endif
  std::cout << (total == total ? "done" : "not a number") << '\n';
}
// OUTPUT: moved by to() or similar
// OUTPUT: done
