// The batch that is made here stays on the CPU.

#include <torch/torch.h>

#include "net.h"

void train(Net net) {
  auto batch = torch::ones({8, 8});
  net->forward(batch);  // LINT: missing-transfer
}

void test(Net net, torch::Tensor x, torch::Device device) {
  net->forward(x.to(device));
  net->forward(x);
}
