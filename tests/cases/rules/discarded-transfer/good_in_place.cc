// Statements that do change the tensor.

#include <torch/torch.h>

void in_place(torch::Tensor x, torch::Tensor y, torch::Device device) {
  x.copy_(y);
  x.set_data(y.to(device));
  x.zero_();
  x.add_(y.to(x.device()));
  x.requires_grad_();
  x.resize_({2, 2});
}
