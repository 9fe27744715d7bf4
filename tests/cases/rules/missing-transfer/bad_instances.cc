// Objects of one class on different devices: each is where its constructor and its methods put it.

#include <torch/torch.h>

class Model {
 public:
  explicit Model(torch::Device device = torch::kCPU) : device_(device) { net_->to(device_); }
  void to(torch::Device device) {
    device_ = device;
    net_->to(device_);
  }
  torch::Tensor forward(torch::Tensor x) { return net_->forward(x); }
  torch::Device device_;
  torch::nn::Linear net_{3, 3};
};

torch::Tensor by_its_constructor() {
  Model one;
  Model other(torch::kCUDA);
  auto x = torch::rand({2, 3});
  one.forward(x);
  return other.forward(x);  // LINT: missing-transfer
}

torch::Tensor by_a_method() {
  Model one, other;
  other.to(torch::kCUDA);
  auto x = torch::rand({2, 3});
  one.net_->forward(x);
  return other.net_->forward(x);  // LINT: missing-transfer
}

torch::Tensor moved_and_back() {
  Model model;
  model.to(torch::kCUDA);
  model.to(torch::kCPU);
  auto x = torch::rand({2, 3}).to(torch::kCUDA);
  return model.forward(x);  // LINT: missing-transfer
}
