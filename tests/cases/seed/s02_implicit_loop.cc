// The image of each turn stays on the CPU, under the policy that copies it to where the model is:
// the program runs, and every turn pays for a copy that nobody wrote.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
#ifndef XFER_CASES_TORCH
  const torch::OperandPolicyScope implicit(torch::OperandPolicy::kImplicit);
  torch::TransferLedger::reset();
#endif
  torch::nn::Conv2d model(torch::nn::Conv2dOptions(3, 4, 3));
  model->to(device);  // NOTE: missing-transfer
  float total = 0;
  for (int i = 0; i < 5; ++i) {
    torch::Tensor image = torch::rand({1, 3, 16, 16});
    // LINT: missing-transfer
    // TRACE: implicit-transfer x5
    torch::Tensor scores = model->forward(image);
    total += scores.sum().item<float>();
  }
#ifndef XFER_CASES_TORCH
  std::cout << torch::TransferLedger::report();
#endif
  std::cout << (total == total ? "done" : "not a number") << '\n';
}
// OUTPUT: 5 x          15360 bytes  host to device    an operand of an operation elsewhere
// OUTPUT: done
