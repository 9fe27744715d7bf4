// The host waits in every iteration.

#include <torch/torch.h>

float items(torch::nn::Linear net, int steps) {
  net->to(torch::kCUDA);
  float total = 0;
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(torch::randn({1, 8}, torch::kCUDA)).sum();
    total += loss.item<float>();  // LINT: sync-in-loop
  }
  return total;
}

torch::Tensor copies(torch::nn::Linear net, int steps) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  net->to(device);
  torch::Tensor sum = torch::zeros({1, 10});
  for (int step = 0; step < steps; ++step) {
    auto scores = net->forward(torch::randn({1, 8}, device));
    sum += scores.cpu();  // LINT: sync-in-loop
  }
  return sum;
}
