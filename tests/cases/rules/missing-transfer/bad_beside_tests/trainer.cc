// Wrong in the program; the tests, which stay on the CPU, are none of its callers.

#include "trainer.h"

#include <torch/torch.h>

torch::Tensor Trainer::loss(torch::Tensor wanted, torch::Tensor given) {
  return (wanted - given).pow(2).sum();
}

float Trainer::step(int rows) {
  auto batch = torch::rand({rows, 8}).to(net_.device);
  auto wanted = torch::rand({rows, 8});
  auto out = net_.forward(batch);
  return loss(wanted, out.value).item<float>();  // LINT: missing-transfer
}
