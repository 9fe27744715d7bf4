// Tensors that a function of another file leaves alone, changes, or may change.

#include <torch/torch.h>

void log_mean(const torch::Tensor& x);
void scale(torch::Tensor x);
void unseen(torch::Tensor x);

torch::Tensor left_alone() {
  auto x = torch::ones({8, 8});
  auto a = x.to(torch::kCUDA);
  log_mean(x);
  auto b = x.to(torch::kCUDA);  // LINT: repeated-transfer
  return a + b;
}

torch::Tensor changed() {
  auto x = torch::ones({8, 8});
  auto a = x.to(torch::kCUDA);
  scale(x);
  auto b = x.to(torch::kCUDA);
  return a + b;
}

torch::Tensor perhaps_changed() {
  auto x = torch::ones({8, 8});
  auto a = x.to(torch::kCUDA);
  unseen(x);
  auto b = x.to(torch::kCUDA);
  return a + b;
}
