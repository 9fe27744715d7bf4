// The device of a record or a module that a function is given, asked for in a loop or on one path.

#include <torch/torch.h>

struct Config {
  explicit Config(torch::Device device) : device(device) {}
  torch::Device device;
};

void fits(const Config& config, torch::nn::Linear net) {
  auto weights = torch::ones({2, 4}).to(config.device);
  for (int epoch = 0; epoch < 3; ++epoch)
    for (int step = 0; step < 3; ++step) {
      auto input = torch::zeros({2, 4}).to(config.device);
      auto target = torch::zeros({2, 4});
      weights = weights + input;
      net->forward(weights).add_(1);
      input - target;  // LINT: missing-transfer
    }
}

void on_one_path(const Config& config, bool more) {
  auto weights = torch::zeros({2, 4});
  if (more) weights = torch::ones({2, 4}).to(config.device);
  auto input = torch::ones({2, 4}).to(config.device);
  auto target = torch::zeros({2, 4});
  input - target;  // LINT: missing-transfer
  weights.add_(1);
}

int main(int argc, char**) {
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA);
  torch::nn::Linear net(4, 4);
  net->to(device);
  fits(Config(device), net);
  on_one_path(Config(device), argc > 1);
}
