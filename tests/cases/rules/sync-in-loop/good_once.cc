// The host waits once.

#include <torch/torch.h>

float at_the_end(torch::nn::Linear net, int steps) {
  net->to(torch::kCUDA);
  torch::Tensor total = torch::zeros({}, torch::kCUDA);
  for (int step = 0; step < steps; ++step)
    total = total + net->forward(torch::randn({1, 8}, torch::kCUDA)).sum();
  return total.item<float>();
}
