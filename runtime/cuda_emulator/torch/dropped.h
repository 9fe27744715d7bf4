#pragma once
// Which numbers a fused kernel dropped, for its backward pass: it draws the same ones again. Of the
// last calls; a GPU's kernels need no such memory, their generator starts anywhere.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace xfer::emulated_torch {

/// The factors for a tensor's numbers: each is 0, or 1 / (1 - probability).
struct Kept {
  at::Tensor factors;
  std::int64_t call;  ///< to draw them again
};
/// From the generator of the CPU, as dropout there does. Shaped as `like`, of float.
Kept draw_kept(const at::Tensor& like, double probability);

/// Throws where that call was too long ago.
at::Tensor draw_kept_again(const at::Tensor& like, double probability, std::int64_t call);

}  // namespace xfer::emulated_torch
