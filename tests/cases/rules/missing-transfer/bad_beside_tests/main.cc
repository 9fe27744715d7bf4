#include "trainer.h"

int main() {
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA);
  Net net(device);
  Trainer trainer(net);
  return trainer.step(4) > 0 ? 0 : 1;
}
