// A member that stays behind: made, used and moved in three files.
#pragma once

#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net();
  torch::Tensor forward(torch::Tensor x);
  torch::Tensor mask;
};
