// Wrong in one of the two programs.

#include <torch/torch.h>

#include "box.h"

void Box::run() {
  if (ready) net->forward(x);  // LINT: missing-transfer
}
