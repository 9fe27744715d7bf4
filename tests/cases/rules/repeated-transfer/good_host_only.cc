// A program that runs on the CPU alone: what is written for any device copies nothing there.

#include <torch/torch.h>

#include <vector>

struct Batch {
  torch::Tensor data, target;
};

torch::Tensor evaluate(const Batch& batch, torch::Tensor weights) {
  torch::Device device(torch::kCPU);
  // torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto x = batch.data.to(device);
  auto again = batch.data.to(device);
  return (x + again).matmul(weights.to(device)) + batch.target.to(device);
}

torch::Tensor every_step(torch::Tensor table, int steps) {
  const torch::Device device = torch::kCPU;
  auto sum = torch::zeros({8}, device);
  for (int step = 0; step < steps; ++step) sum += table.to(device);
  return sum;
}

torch::Tensor options(torch::Tensor x) {
  auto host = torch::TensorOptions().device(torch::kCPU);
  auto a = x.to(host);
  auto b = x.to(host);
  return a + b;
}
