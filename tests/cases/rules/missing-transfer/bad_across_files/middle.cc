// Functions that only pass tensors on.

#include <torch/torch.h>

#include "functions.h"

torch::Tensor middle(torch::Tensor a, torch::Tensor b) { return last(b, a); }
