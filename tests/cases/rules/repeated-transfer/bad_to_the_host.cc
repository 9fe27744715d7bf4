// The same tensor is downloaded twice.

#include <torch/torch.h>

torch::Tensor shown(torch::Tensor x) {
  auto a = x.cpu();
  auto b = x.cpu();  // LINT: repeated-transfer
  return a + b;
}

// The optimizer has other parameters, and what is changed is the function's own.
torch::Tensor of_its_own(torch::Tensor x, torch::optim::SGD& optimizer) {
  auto a = x.cpu();
  auto y = torch::ones({2, 2});
  y.add_(torch::ones({2, 2}));
  return a + x.cpu() + y;  // LINT: repeated-transfer
}
