// The original is asked, or the copy was told to keep its gradient.

#include <torch/torch.h>

torch::Tensor of_the_original(torch::Tensor x) {
  torch::Tensor w = torch::randn({8, 8}, torch::requires_grad());
  torch::Tensor moved = w.to(torch::kCUDA);
  x.cuda().matmul(moved).sum().backward();
  return w.grad();
}

torch::Tensor kept(torch::Tensor x) {
  torch::Tensor w = torch::randn({8, 8}, torch::requires_grad()).to(torch::kCUDA);
  w.retain_grad();
  x.cuda().matmul(w).sum().backward();
  return w.grad();
}

torch::Tensor new_leaf(torch::Tensor x) {
  torch::Tensor w =
      torch::randn({8, 8}, torch::requires_grad()).to(torch::kCUDA).detach().requires_grad_();
  x.cuda().matmul(w).sum().backward();
  return w.grad();
}
