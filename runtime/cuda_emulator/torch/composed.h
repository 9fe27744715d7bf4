#pragma once
// Tensors that are made of dense ones: sparse (COO and the compressed layouts) and nested. An
// emulated device has their parts, and their like on the host is made of the same parts there.

#include <ATen/core/Tensor.h>

#include <functional>

namespace xfer::emulated_torch {

bool is_composed(const at::Tensor& tensor);

using EachPart = std::function<at::Tensor(const at::Tensor&)>;

/// One of the same layout and sizes, each dense part of it by `part`.
at::Tensor made_of(const at::Tensor& composed, const EachPart& part);

/// Gives a sparse tensor the parts of another one, each by `part`: what a call in place has made.
void become(const at::Tensor& composed, const at::Tensor& other, const EachPart& part);

}  // namespace xfer::emulated_torch
