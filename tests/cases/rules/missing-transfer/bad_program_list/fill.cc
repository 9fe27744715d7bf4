// The parts are on the CPU.

#include <torch/torch.h>

#include <vector>

#include "fill.h"

void fill(std::vector<torch::Tensor>& parts) {
  for (int i = 0; i < 2; ++i) parts.push_back(torch::ones({8, 8}));
}
