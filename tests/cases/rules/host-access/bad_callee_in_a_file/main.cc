// Passes a tensor on CUDA to the function of the other file.

#include <torch/torch.h>

#include <iostream>

#include "read.h"

int main() {
  auto scores = torch::rand({4, 4}).to(torch::kCUDA);
  std::cout << read_sum(scores);  // LINT: host-access
  std::cout << read_sum(scores.cpu()) << copied_sum(scores);
}
