// A class that two programs share.
#pragma once

#include <torch/torch.h>

struct Box {
  void run();
  torch::nn::Linear net{nullptr};
  torch::Tensor x;
  bool ready = true;
};
