// The module is moved.

#include <torch/torch.h>

#include "net.h"

void run() {
  Net net;
  net.to(torch::kCUDA);
}
