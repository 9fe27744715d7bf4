// Modules that a container runs, which make what they need where their input is, or which nobody
// runs on CUDA alone.
#pragma once

#include <torch/torch.h>

struct NestedMaskImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x * torch::ones({3}, x.options()); }
};
TORCH_MODULE(NestedMask);

struct NestedScaleImpl : torch::nn::Module {
  NestedScaleImpl() { scale = register_buffer("scale", torch::ones({3})); }
  torch::Tensor forward(torch::Tensor x) { return x * scale; }
  torch::Tensor scale;
};
TORCH_MODULE(NestedScale);

// In a container on the CPU, and in one that nobody calls here.
struct NestedHostImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x * torch::ones({3}); }
};
TORCH_MODULE(NestedHost);

// A list runs none of its modules.
struct NestedListedImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x.cpu() * torch::ones({3}); }
};
TORCH_MODULE(NestedListed);
