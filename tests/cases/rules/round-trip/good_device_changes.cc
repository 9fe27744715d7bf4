// The value that comes back is not the one that went.

#include <torch/torch.h>

torch::Tensor computed_there(torch::nn::Linear& net) {
  torch::Tensor x = torch::randn({1, 8});
  return net->forward(x.to(torch::kCUDA)).to(torch::kCPU);
}

torch::Tensor changed_there() {
  torch::Tensor x = torch::randn({8});
  torch::Tensor y = x.to(torch::kCUDA);
  y.mul_(2);
  return y.cpu();
}

torch::Tensor converted() {
  torch::Tensor x = torch::randn({8});
  torch::Tensor y = x.to(torch::kCUDA, torch::kHalf);
  return y.to(torch::kCPU);
}

void show(const torch::Tensor& x);

torch::Tensor looked_at() {
  torch::Tensor x = torch::randn({4});
  torch::Tensor there = x.cuda();
  show(there);
  return there.cpu();
}

torch::Tensor original_changed() {
  torch::Tensor x = torch::randn({4});
  torch::Tensor there = x.cuda();
  x.zero_();
  return there.cpu() + x;
}
