// The member is moved, or is a part of something that is.

#include <torch/torch.h>

struct OwnToImpl : torch::nn::Module {
  OwnToImpl() { mask = torch::ones({64}); }
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  void move(torch::Device device) { mask = mask.to(device); }
  torch::Tensor mask;
};

struct FollowsImpl : torch::nn::Module {
  FollowsImpl() { mask = torch::ones({64}); }
  torch::Tensor forward(torch::Tensor x) { return x * mask.to(x.device()); }
  torch::Tensor mask;
};

struct InAContainerImpl : torch::nn::Module {
  InAContainerImpl() {
    inner = torch::nn::Linear(64, 64);
    body->push_back(inner);
    register_module("body", body);
  }
  torch::Tensor forward(torch::Tensor x) { return inner->forward(x); }
  torch::nn::Sequential body;
  torch::nn::Linear inner{nullptr};
};

struct SetFromOutsideImpl : torch::nn::Module {
  SetFromOutsideImpl() { mask = torch::ones({64}); }
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
};

void run(torch::Device device) {
  auto own = std::make_shared<OwnToImpl>();
  own->to(device);
  own->move(device);
  auto follows = std::make_shared<FollowsImpl>();
  follows->to(device);
  auto container = std::make_shared<InAContainerImpl>();
  container->to(device);
  auto outside = std::make_shared<SetFromOutsideImpl>();
  outside->to(device);
  outside->mask = outside->mask.to(device);
}
