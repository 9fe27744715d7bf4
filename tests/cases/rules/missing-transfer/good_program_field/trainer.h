// A field that another file moves.
#pragma once

#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

class Trainer {
 public:
  explicit Trainer(torch::Device device);
  void reset();
  torch::Tensor step(torch::Tensor x);
  torch::Tensor mean_;
  Net net_;
  torch::Device device_;
};
