// The copy is waited for, or is done when copy_ comes back.

#include <torch/torch.h>

float waited_for(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3}).pin_memory();
  host.copy_(gpu, true);
  torch::cuda::synchronize();
  return host.data_ptr<float>()[0];
}

float blocking(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3}).pin_memory();
  host.copy_(gpu);
  return host.data_ptr<float>()[0];
}

float into_pageable_memory(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor host = torch::empty({3});
  host.copy_(gpu, true);
  return host.data_ptr<float>()[0];
}

float from_the_host(torch::Tensor x) {
  torch::Tensor host = torch::empty({3}).pin_memory();
  host.copy_(x.cpu(), true);
  return host.sum().item<float>();
}

float blocking_after_the_other(torch::Tensor x) {
  torch::Tensor gpu = x.cuda();
  torch::Tensor first = torch::empty({3}).pin_memory();
  torch::Tensor second = torch::empty({3}).pin_memory();
  first.copy_(gpu, true);
  second.copy_(gpu);
  return first.data_ptr<float>()[0];
}

float parts_waited_for(torch::Tensor x) {
  torch::Tensor host = x.cuda().to(torch::kCPU, true);
  torch::cuda::synchronize();
  float sum = 0;
  for (const torch::Tensor& row : host.unbind()) sum += row.item<float>();
  return sum;
}
