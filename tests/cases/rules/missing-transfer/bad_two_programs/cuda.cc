// The other one moves the module alone.

#include <torch/torch.h>

#include "box.h"

int main() {
  Box box;
  box.net = torch::nn::Linear(8, 8);
  box.net->to(torch::kCUDA);
  box.x = torch::ones({8, 8});
  box.run();
  return 0;
}
