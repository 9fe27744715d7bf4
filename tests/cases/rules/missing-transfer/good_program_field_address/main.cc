// What the step needs is not known.

#include <torch/torch.h>

#include "trainer.h"

int main() {
  Trainer trainer(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  trainer.step(torch::ones({8, 8}));
  return 0;
}
