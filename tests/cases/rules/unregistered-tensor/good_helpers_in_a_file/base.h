// Helpers of a base class register members; their bodies are in another file.
#pragma once

#include <torch/torch.h>

#include <string>

struct FarBase : torch::nn::Module {
  torch::nn::Linear add(const std::string& name, torch::nn::Linear layer);
  torch::nn::Linear made(const std::string& name);
  torch::Tensor keep(const std::string& name, torch::Tensor value);
};
