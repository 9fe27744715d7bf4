#pragma once
// Networks whose methods mix what they are given with what they compute.

#include <torch/torch.h>

class GoodScorerImpl : public torch::nn::Module {
 public:
  GoodScorerImpl() : layer_(register_module("layer", torch::nn::Linear(4, 4))) {}
  torch::Tensor forward(torch::Tensor x);
  torch::Tensor penalised(torch::Tensor x, torch::Tensor mask);

 private:
  torch::Tensor mixed(torch::Tensor scores, torch::Tensor mask);
  torch::nn::Linear layer_;
};
TORCH_MODULE(GoodScorer);

// The same, of which every object is on a device.
class PlacedScorerImpl : public torch::nn::Module {
 public:
  explicit PlacedScorerImpl(torch::Device device);
  torch::Tensor forward(torch::Tensor x);
  torch::Tensor sometimes(torch::Tensor x, torch::Tensor mask, bool greedy);
  torch::Tensor moved(torch::Tensor x, torch::Tensor mask);
  torch::Tensor scaled(torch::Tensor x, torch::Tensor factor);
  torch::Tensor shaped(torch::Tensor x, torch::Tensor like);

 private:
  torch::nn::Linear layer_;
};
TORCH_MODULE(PlacedScorer);
