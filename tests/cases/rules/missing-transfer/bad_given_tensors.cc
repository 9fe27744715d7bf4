// Operands that do not fit are reported where the wrong one is made, or at the call that makes it
// certain.

#include <torch/torch.h>

static torch::Tensor twice(torch::Tensor x) { return x + torch::ones({2, 2}); }  // LINT: missing-transfer
static torch::Tensor thrice(torch::Tensor x) { return x + torch::ones({2, 2}); }

void run() {
  twice(torch::ones({2, 2}, torch::kCUDA));
  thrice(torch::ones({2, 2}, torch::kCUDA));  // LINT: missing-transfer
  thrice(torch::ones({2, 2}));
}
