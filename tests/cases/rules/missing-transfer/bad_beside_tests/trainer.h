// Code that a program and its tests share.
#pragma once

#include <torch/torch.h>

#include <vector>

struct Output {
  torch::Tensor policy, value;
};

struct Model {
  virtual Output forward(const torch::Tensor& x) = 0;
  virtual float predict(std::vector<float>& board) = 0;
};

struct Net : torch::nn::Module, Model {
  explicit Net(torch::Device where)
      : device(where), layer(register_module("layer", torch::nn::Linear(8, 8))) {
    this->to(device);
  }
  Output forward(const torch::Tensor& x) override {
    auto y = layer(x);
    return {torch::softmax(y, 1), torch::tanh(y)};
  }
  float predict(std::vector<float>& board) override {
    auto x = torch::from_blob(board.data(), {1, 8}).to(this->device);
    Output out = this->forward(x);
    auto policy = out.policy.cpu();
    return policy.data_ptr<float>()[0] + out.value.cpu().item<float>();
  }
  torch::Device device;
  torch::nn::Linear layer;
};

class Trainer {
 public:
  explicit Trainer(Net net) : net_(net) {}
  float step(int rows);

 private:
  torch::Tensor loss(torch::Tensor wanted, torch::Tensor given);
  Net net_;
};
