// Right: the program moves it all. Code that registers itself may be a part of it.

#include "trainer.h"

#include <torch/torch.h>

torch::Tensor Trainer::loss(torch::Tensor wanted, torch::Tensor given) {
  return (wanted - given).pow(2).sum();
}

float Trainer::step(int rows) {
  auto batch = torch::rand({rows, 8}).to(net_.device);
  auto wanted = torch::rand({rows, 8}).to(net_.device);
  auto out = net_.forward(batch);
  return loss(wanted, out.value).item<float>();
}

// Only code that registers itself calls it, and that program, if it is one, stays on the CPU.
torch::Tensor only_there(Net& net, torch::Tensor x) { return net.layer(x); }
