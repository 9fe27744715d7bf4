// Classes whose methods another file defines.
#pragma once

#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net();
  torch::Tensor forward(torch::Tensor x);
  void place(torch::Device device);
  torch::nn::Linear layer{nullptr};
};

struct Careful : torch::nn::Module {
  Careful();
  torch::Tensor forward(torch::Tensor x);
  torch::nn::Linear layer{nullptr};
};

struct Field {
  Field();
  torch::nn::Linear get();
  torch::Tensor run(torch::Tensor x);
  torch::nn::Linear layer;
};

struct Step {
  virtual ~Step();
  virtual torch::Tensor run(torch::Tensor a, torch::Tensor b);
};

struct FinalStep final : Step {
  torch::Tensor run(torch::Tensor a, torch::Tensor b) override;
};
