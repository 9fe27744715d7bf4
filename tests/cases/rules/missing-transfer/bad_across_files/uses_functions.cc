// Calls that go wrong, and calls that do not.

#include <torch/torch.h>

#include "functions.h"

void needs() {
  auto a = torch::ones({2, 3});
  auto b = torch::ones({2, 3}).to(torch::kCUDA);
  combine(a, b);  // LINT: missing-transfer
  combine(a.to(torch::kCUDA), b);
}

void needs_nothing() {
  auto a = torch::ones({2, 3});
  auto b = torch::ones({2, 3}).to(torch::kCUDA);
  combine_somewhere(a, b);
  nobody_knows(a, b);
}

void through_three_files() {
  middle(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));  // LINT: missing-transfer
  middle(torch::ones({2}), torch::ones({2}));
}

void results_on_the_cpu() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  model->forward(make_batch());  // LINT: missing-transfer
  model->forward(place(make_batch(), torch::kCPU));  // LINT: missing-transfer
}

void results_on_the_device(torch::Device device) {
  torch::nn::Linear model(8, 8);
  model->to(device);
  model->forward(place(make_batch(), device));
  torch::nn::Linear other(8, 8);
  other->to(torch::kCUDA);
  other->forward(upload(make_batch()));
  torch::Tensor batch = make_batch();
  upload_in_place(batch);
  other->forward(batch);
}

// A choice that a call settles.
torch::Tensor chosen(bool use_cuda) {
  return load(use_cuda) + torch::ones({2, 3});  // LINT: missing-transfer
}

torch::Tensor settled() { return load(false) + torch::ones({2, 3}); }
