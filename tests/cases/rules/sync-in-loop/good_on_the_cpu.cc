// The tensor is on the CPU, or may well be.

#include <torch/torch.h>

float cpu(int steps) {
  float total = 0;
  for (int step = 0; step < steps; ++step) total += torch::randn({8}).sum().item<float>();
  return total;
}

float unknown(torch::Tensor data, int steps) {
  float total = 0;
  for (int step = 0; step < steps; ++step) total += data[step].sum().item<float>();
  return total;
}

torch::Tensor asynchronous(int steps) {
  torch::Tensor last;
  for (int step = 0; step < steps; ++step)
    last = torch::full({8}, step, torch::kCUDA).to(torch::kCPU, /*non_blocking=*/true);
  return last;
}
