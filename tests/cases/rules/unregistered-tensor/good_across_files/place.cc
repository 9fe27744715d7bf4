// The members are taken along.

#include <torch/torch.h>

#include "nets.h"

void MovedByHand::place(torch::Device device) {
  to(device);
  mask = mask.to(device);
}

void RegisteredLater::place(torch::Device device) {
  register_buffer("mask", mask);
  to(device);
}

void MovedFromOutside::place(torch::Device device) { to(device); }
void Registered::place(torch::Device device) { to(device); }
