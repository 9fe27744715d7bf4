// All but NeverMoved are moved.

#include <torch/torch.h>

#include "nets.h"

void run() {
  NeverMoved stays;
  NeverRun unknown;
  unknown.to(torch::kCUDA);
  MovedByHand by_hand;
  by_hand.to(torch::kCUDA);
  RegisteredLater later;
  later.to(torch::kCUDA);
  MovedFromOutside from_outside;
  from_outside.to(torch::kCUDA);
  from_outside.mask = from_outside.mask.to(torch::kCUDA);
  Registered registered;
  registered.to(torch::kCUDA);
}
