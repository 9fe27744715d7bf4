// Copies in which the two innermost dimensions change places, tile by tile: a row of a tile is one
// cache line here and there, so each line is moved once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cpu/parallel.h"

namespace tensorlib::cpu {

/// The result has unit stride in the last dimension, the source in the one before it.
inline bool is_transposed(const Geometry<2>& g) {
  return g.ndim >= 2 && g.strides[0][g.ndim - 1] == 1 && g.strides[1][g.ndim - 2] == 1 &&
         g.strides[1][g.ndim - 1] != 1;
}

template <class T>
void copy_transposed(const Geometry<2>& g, T* out, const T* in) {
  constexpr int64_t kTile = std::max<int64_t>(64 / sizeof(T), 8);
  const int last = g.ndim - 1, before = g.ndim - 2;
  const int64_t rows = g.sizes[before], columns = g.sizes[last];
  const int64_t bands = (rows + kTile - 1) / kTile;
  const int64_t planes = g.numel / (rows * columns);
  parallel_for(planes * bands, std::max<int64_t>(1, kGrain / (kTile * columns)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t band = begin; band < end; ++band) {
                   T* to = out;
                   const T* from = in;
                   int64_t plane = band / bands;
                   for (int d = before - 1; d >= 0; --d) {
                     to += plane % g.sizes[d] * g.strides[0][d];
                     from += plane % g.sizes[d] * g.strides[1][d];
                     plane /= g.sizes[d];
                   }
                   const int64_t r0 = band % bands * kTile;
                   const int64_t height = std::min(kTile, rows - r0);
                   for (int64_t c0 = 0; c0 < columns; c0 += kTile) {
                     const int64_t width = std::min(kTile, columns - c0);
                     T tile[kTile][kTile];
                     for (int64_t c = 0; c < width; ++c) {
                       const T* line = from + r0 + (c0 + c) * g.strides[1][last];
                       for (int64_t r = 0; r < height; ++r) tile[r][c] = line[r];
                     }
                     for (int64_t r = 0; r < height; ++r) {
                       std::copy_n(tile[r], width, to + (r0 + r) * g.strides[0][before] + c0);
                     }
                   }
                 }
               });
}

}  // namespace tensorlib::cpu
