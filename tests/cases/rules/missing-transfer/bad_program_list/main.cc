// A tensor is made of them.

#include <torch/torch.h>

#include <vector>

#include "fill.h"

int main() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  std::vector<torch::Tensor> parts;
  fill(parts);
  net->forward(torch::cat(parts, 0));  // LINT: missing-transfer
  return 0;
}
