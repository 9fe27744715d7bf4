#pragma once
// A module that registers the elements of a list, in a file that others do not see.

#include <torch/torch.h>

#include <vector>

class ListedLayersImpl : public torch::nn::Module {
 public:
  explicit ListedLayersImpl(int count);
  torch::Tensor forward(torch::Tensor x);

  std::vector<torch::nn::Linear> layers;
};
TORCH_MODULE(ListedLayers);
