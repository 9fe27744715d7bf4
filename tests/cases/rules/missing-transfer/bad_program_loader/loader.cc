// All steps leave the batch on the CPU.

#include <torch/torch.h>

#include <tuple>

#include "loader.h"

void Scale::apply(const torch::Tensor& in, torch::Tensor& out) { out = in.clone(); }

bool Loader::operator()(std::tuple<torch::Tensor, torch::Tensor>& batch) {
  if (count == 8) return false;
  torch::Tensor* images = new torch::Tensor[2];
  for (int i = 0; i < 2; ++i) {
    torch::Tensor image;
    step->apply(torch::ones({8}), image);
    images[i] = image;
  }
  torch::Tensor all = images[0].view({1, 8});
  for (int i = 1; i < 2; ++i) all = torch::cat({all, images[i].view({1, 8})});
  delete[] images;
  batch = std::make_tuple(all, torch::ones({8}));
  ++count;
  return true;
}
