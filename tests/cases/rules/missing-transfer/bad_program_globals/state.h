// Globals that the whole program shares.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

namespace shared_state {

extern torch::Device device;
extern torch::Tensor mean;
extern torch::Tensor table;
extern torch::nn::Linear net;
extern std::shared_ptr<torch::nn::LinearImpl> head;
extern std::vector<torch::Tensor> frames;

struct Constants {
  static torch::Tensor weights;
  static torch::nn::Linear scale;
};

void set_up();

}  // namespace shared_state
