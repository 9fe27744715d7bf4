// A list that a callee fills.
#pragma once

#include <torch/torch.h>

#include <vector>

void fill(std::vector<torch::Tensor>& parts);
