// Functions that another file defines.
#pragma once

#include <torch/torch.h>

torch::Tensor combine(const torch::Tensor& a, const torch::Tensor& b);
torch::Tensor combine_somewhere(const torch::Tensor& a, const torch::Tensor& b);
torch::Tensor nobody_knows(const torch::Tensor& a, const torch::Tensor& b);
torch::Tensor last(torch::Tensor a, torch::Tensor b);
torch::Tensor middle(torch::Tensor a, torch::Tensor b);

torch::Tensor upload(const torch::Tensor& x);
torch::Tensor place(const torch::Tensor& x, torch::Device where);
torch::Tensor make_batch();
torch::Tensor load(bool use_cuda);
void upload_in_place(torch::Tensor& x);
