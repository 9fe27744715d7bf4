// The field is moved here.

#include <torch/torch.h>

#include "trainer.h"

void touch(Trainer& trainer) { trainer.mean_ = trainer.mean_.to(trainer.device_); }

int main() {
  Trainer trainer(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  touch(trainer);
  trainer.step(torch::ones({8, 8}));
  return 0;
}
