// A team's own loader, which runs virtual steps.
#pragma once

#include <torch/torch.h>

#include <tuple>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

struct Step {
  virtual ~Step() = default;
  virtual void apply(const torch::Tensor& in, torch::Tensor& out) = 0;
};

struct Scale : Step {
  void apply(const torch::Tensor& in, torch::Tensor& out) override;
};

struct Loader {
  bool operator()(std::tuple<torch::Tensor, torch::Tensor>& batch);
  Step* step;
  int count = 0;
};
