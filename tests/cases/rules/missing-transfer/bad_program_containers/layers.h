// Modules that a container runs: no call names their forward.
#pragma once

#include <torch/torch.h>

struct ContainedScaleImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x);
};
TORCH_MODULE(ContainedScale);

struct ContainedBlockImpl : torch::nn::Module {
  explicit ContainedBlockImpl(int size);
  torch::Tensor forward(torch::Tensor x);
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(ContainedBlock);

struct ContainedShift : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor& x);
};

struct ContainedNetImpl : torch::nn::Module {
  ContainedNetImpl();
  torch::Tensor forward(torch::Tensor x);
  torch::nn::Sequential layers;
};
TORCH_MODULE(ContainedNet);
