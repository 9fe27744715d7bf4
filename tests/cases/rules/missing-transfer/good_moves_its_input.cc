// Modules that move their input, or that have nothing to move.

#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc1(4, 8) {
    register_module("fc1", fc1);
    to(torch::kCUDA);
  }
  torch::Tensor forward(torch::Tensor x) { return fc1->forward(x.to(torch::kCUDA)); }
  torch::nn::Linear fc1;
};

struct OwnMove : torch::nn::Module {
  void to(int) {}
  torch::Tensor forward(torch::Tensor x) { return x; }
};

void run() {
  auto net = std::make_shared<NetImpl>();
  net->forward(torch::randn({1, 4}));
  torch::nn::ReLU relu;
  relu->to(torch::kCUDA);
  relu->forward(torch::randn({1, 4}));
  OwnMove own;
  own.forward(torch::randn({1, 4}));
}
