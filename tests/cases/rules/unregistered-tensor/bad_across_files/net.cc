// Made on the CPU.

#include <torch/torch.h>

#include "net.h"

Net::Net() {
  mask = torch::ones({8, 8});  // LINT: unregistered-tensor
}
