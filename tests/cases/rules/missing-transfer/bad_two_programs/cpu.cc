// A program that does without CUDA says nothing of the other one.

#include <torch/torch.h>

#include "box.h"

int main() {
  Box box;
  box.net = torch::nn::Linear(8, 8);
  box.x = torch::ones({8, 8});
  box.run();
  return 0;
}
