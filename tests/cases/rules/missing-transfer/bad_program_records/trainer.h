#pragma once
// An object with modules and tensors that many hold, and whose bodies are in another file.

#include <torch/torch.h>

class RecordTrainer {
 public:
  explicit RecordTrainer(torch::Device device);
  torch::Tensor step();
  torch::nn::Linear& network() { return network_; }
  torch::Tensor weights() const { return weights_; }

 private:
  torch::Device device_;
  torch::nn::Linear network_{nullptr};
  torch::Tensor weights_;
};
