// Not every iteration waits.

#include <torch/torch.h>

#include <iostream>

void every_hundredth(torch::nn::Linear net, int steps) {
  net->to(torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(torch::randn({1, 8}, torch::kCUDA)).sum();
    loss.backward();
    if (step % 100 == 0) std::cout << loss.item<float>() << '\n';
  }
}
