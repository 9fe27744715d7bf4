// The loader brings the batches to the device itself: the next one is copied while the model works.
// (LibTorch's loader in C++ cannot: there the loop moves them.)

#include <iostream>

#include "batches.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Linear model(64, 10);
  model->to(device);
  torch::data::DataLoaderOptions options = pinned_batches();
#ifndef XFER_CASES_TORCH
  options.device(device);
#endif
  auto loader =
      torch::data::make_data_loader(Examples().map(torch::data::transforms::Stack<>()), options);
  torch::Tensor total = torch::zeros({}, device);
  int batches = 0;
  for (auto& batch : *loader) {
#ifdef XFER_CASES_TORCH
    batch.data = batch.data.to(device);
#else
    total += batch.target.sum();  // the loader brings that, too
#endif
    total += model->forward(batch.data).sum();
    ++batches;
  }
  const float sum = total.item<float>();
  std::cout << batches << " batches, " << (sum == sum ? "a number" : "none") << '\n';
}
// OUTPUT: 32 batches, a number
