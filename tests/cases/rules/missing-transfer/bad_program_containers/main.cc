#include "layers.h"

int main() {
  torch::Device device(torch::kCUDA);
  ContainedNet net;
  net->to(device);
  auto x = torch::rand({2, 3}).to(device);
  auto y = net->forward(x);
  auto target = torch::zeros({2, 3});
  auto loss = torch::mse_loss(y, target);  // LINT: missing-transfer
}
