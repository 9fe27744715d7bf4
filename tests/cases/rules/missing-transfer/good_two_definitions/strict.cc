// A function that needs its operands on one device.

#include <torch/torch.h>

torch::Tensor join(torch::Tensor a, torch::Tensor b) { return a + b; }
