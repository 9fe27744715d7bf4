// The leaf is on the device.

#include <torch/torch.h>

torch::Tensor made_there(torch::Tensor x) {
  torch::Tensor w = torch::randn({8, 8}, torch::TensorOptions(torch::kCUDA).requires_grad(true));
  x.cuda().matmul(w).sum().backward();
  return w.grad();
}

torch::Tensor asked_after_the_move(torch::Tensor x, torch::Device device) {
  torch::Tensor w = torch::randn({8, 8}).to(device).requires_grad_();
  torch::optim::SGD sgd({w}, 0.1);
  x.to(device).matmul(w).sum().backward();
  sgd.step();
  return w.grad();
}

torch::Tensor stays(torch::Tensor x) {
  torch::Tensor w = torch::randn({8, 8}, torch::requires_grad()).to(torch::kCPU);
  x.matmul(w).sum().backward();
  return w.grad();
}
