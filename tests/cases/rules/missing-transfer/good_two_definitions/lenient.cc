// One of the same name that does not.

#include <torch/torch.h>

torch::Tensor join(torch::Tensor a, torch::Tensor b) {
  return a.to(torch::kCUDA) + b.to(torch::kCUDA);
}
