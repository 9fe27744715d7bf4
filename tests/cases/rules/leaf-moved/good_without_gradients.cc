// Functions that collect no gradients.

#include <torch/torch.h>

torch::Tensor no_grad(torch::Tensor x) {
  torch::NoGradGuard guard;
  torch::Tensor w = torch::randn({8, 8}, torch::requires_grad()).to(torch::kCUDA);
  w.requires_grad_();
  return w.grad();
}

torch::Tensor only_computes(torch::Tensor x) {
  torch::Tensor w = torch::randn({8, 8}, torch::requires_grad()).to(torch::kCUDA);
  return x.cuda().matmul(w);
}

torch::Tensor plain(torch::Tensor w) {
  torch::Tensor moved = w.to(torch::kCUDA);
  return moved.grad();
}
