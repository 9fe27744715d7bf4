#pragma once
#include <torch/torch.h>

#ifndef FROM_ENGINE
#error "the engine's definition is missing"
#endif

at::Tensor combine(const at::Tensor& a, const at::Tensor& b);
at::Tensor upload(const at::Tensor& x);
