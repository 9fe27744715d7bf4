// The helpers.

#include <torch/torch.h>

#include "base.h"

torch::nn::Linear FarBase::add(const std::string& name, torch::nn::Linear layer) {
  return register_module(name, layer);
}

torch::nn::Linear FarBase::made(const std::string& name) {
  auto layer = torch::nn::Linear(3, 3);
  register_module(name, layer);
  return layer;
}

torch::Tensor FarBase::keep(const std::string& name, torch::Tensor value) {
  return register_buffer(name, value);
}
