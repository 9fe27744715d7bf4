// Shapes for element-wise work: broadcasting, and geometries with as few dimensions as their
// strides allow.
#pragma once

#include <array>

#include "backend/kernel_args.h"
#include "core/check.h"
#include "core/tensor_impl.h"

namespace tensorlib {

static_assert(Geometry<1>::kDims == kMaxDims);

// The shape that both broadcast to; ShapeError where they do not.
Dims broadcast_sizes(const Tensor& a, const Tensor& b, const char* operation, CallSite site);

// The strides of `impl` seen as `sizes`, which it broadcasts to: 0 along a repeated dimension.
Dims broadcast_strides(const TensorImpl& impl, const Dims& sizes);

// Joins neighbouring dimensions that all operands walk as one.
template <int N>
Geometry<N> merge_dims(const Dims& sizes, const std::array<const Dims*, N>& strides) {
  Geometry<N> geometry;
  geometry.numel = product(sizes);
  for (int i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    int last = geometry.ndim - 1;
    bool joins = last >= 0;
    for (int k = 0; k < N && joins; ++k) {
      joins = geometry.strides[k][last] == sizes[i] * (*strides[k])[i];
    }
    if (!joins) last = geometry.ndim++;
    geometry.sizes[last] = joins ? geometry.sizes[last] * sizes[i] : sizes[i];
    for (int k = 0; k < N; ++k) geometry.strides[k][last] = (*strides[k])[i];
  }
  return geometry;
}

// The geometry of one dimension: every operand is a plain array of n elements.
template <int N>
Geometry<N> flat_geometry(int64_t n) {
  Geometry<N> geometry;
  geometry.numel = n;
  geometry.ndim = n == 1 ? 0 : 1;
  geometry.sizes[0] = n;
  for (int k = 0; k < N; ++k) geometry.strides[k][0] = 1;
  return geometry;
}

}  // namespace tensorlib
