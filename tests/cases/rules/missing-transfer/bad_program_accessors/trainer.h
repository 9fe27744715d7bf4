#pragma once
// A trainer whose methods name its fields.

#include <torch/torch.h>

class NamedFieldsTrainer {
 public:
  explicit NamedFieldsTrainer(torch::Device device);
  torch::nn::Linear& network() { return network_; }
  std::shared_ptr<torch::nn::LinearImpl> head() const { return head_; }
  torch::Tensor step();

 private:
  torch::Device device_;
  torch::nn::Linear network_{nullptr};
  std::shared_ptr<torch::nn::LinearImpl> head_;
};
