// Globals that the whole program shares, and moves.
#pragma once

#include <torch/torch.h>

#include <memory>

namespace lasting {

extern torch::Device device;
extern torch::Tensor mean;
extern torch::Tensor scratch;
extern torch::nn::Linear net;
extern std::shared_ptr<torch::nn::LinearImpl> head;
extern torch::Tensor from_nowhere;

struct Constants {
  static torch::Tensor weights;
  static torch::nn::Linear scale;
};

torch::Tensor& instance();
void set_up();
void replace(torch::Tensor& shared);

}  // namespace lasting
