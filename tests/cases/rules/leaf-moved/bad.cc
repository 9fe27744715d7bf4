// The gradient is asked of a copy.

#include <torch/torch.h>

torch::Tensor empty_gradient(torch::Tensor x) {
  torch::Tensor w = torch::randn({8, 8}, torch::requires_grad()).to(torch::kCUDA);  // LINT: leaf-moved
  torch::Tensor loss = x.cuda().matmul(w).sum();
  loss.backward();
  return w.grad();  // NOTE: leaf-moved
}

torch::Tensor chosen_device(torch::Tensor x) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor w = torch::zeros({8, 8}).requires_grad_();
  w = w.to(device);  // LINT: leaf-moved
  x.to(device).matmul(w).sum().backward();
  return w.grad();
}

void optimizer(torch::Device device) {
  torch::Tensor w = torch::zeros({8, 8}, torch::TensorOptions().requires_grad(true));
  torch::Tensor moved = w.to(device);  // LINT: leaf-moved
  torch::optim::SGD sgd({moved}, 0.1);
  sgd.step();
}
