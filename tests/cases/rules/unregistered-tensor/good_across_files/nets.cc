// The members are made here.

#include <torch/torch.h>

#include "nets.h"

NeverMoved::NeverMoved() { mask = torch::ones({8, 8}); }
NeverRun::NeverRun() { mask = torch::ones({8, 8}); }
MovedByHand::MovedByHand() { mask = torch::ones({8, 8}); }
RegisteredLater::RegisteredLater() { mask = torch::ones({8, 8}); }
MovedFromOutside::MovedFromOutside() { mask = torch::ones({8, 8}); }
Registered::Registered() { mask = register_buffer("mask", torch::ones({8, 8})); }
