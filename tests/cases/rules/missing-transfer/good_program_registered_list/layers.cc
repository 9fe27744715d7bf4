#include "layers.h"

#include <string>

ListedLayersImpl::ListedLayersImpl(int count) {
  for (int i = 0; i < count; ++i)
    layers.push_back(register_module("layer" + std::to_string(i), torch::nn::Linear(3, 3)));
}

torch::Tensor ListedLayersImpl::forward(torch::Tensor x) {
  for (std::size_t i = 0; i < layers.size(); ++i) x = layers[i]->forward(x);
  return x;
}
