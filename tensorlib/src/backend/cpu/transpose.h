// Copies in which two dimensions change places. They go block by block: a block reads and writes
// eight whole cache lines of each of its rows and columns, so a page or the lines that the
// processor fetches ahead are used up while they are near. Within a block tiles of a cache line by
// a cache line are turned in registers and put down in a buffer first, so that each line is read
// once and written once even where rows are a power of two apart and share their place in the
// cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "backend/cpu/parallel.h"

namespace tensorlib::cpu {

/// The result has unit stride in the last dimension, the source in another one.
inline bool is_transposed(const Geometry<2>& g) {
  if (g.ndim < 2 || g.strides[0][g.ndim - 1] != 1 || g.strides[1][g.ndim - 1] == 1) return false;
  return std::count(g.strides[1], g.strides[1] + g.ndim - 1, 1) == 1;
}

/// A square of elements that is turned in registers of 16 bytes. `T` is the unsigned type of the
/// elements' size; they are of another one, so bytes are copied.
template <class T>
class TransposedTile {
 public:
  static constexpr int64_t kSide = 64 / sizeof(T);  ///< a cache line

  /// out[r * out_stride + c] = in[c * in_stride + r], `height` rows r and `width` columns c.
  static void copy(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t height,
                   int64_t width) {
    if (height < kSide || width < kSide) {
      for (int64_t r = 0; r < height; ++r)
        for (int64_t c = 0; c < width; ++c)
          std::memcpy(out + r * out_stride + c, in + c * in_stride + r, sizeof(T));
      return;
    }
    alignas(64) T tile[kSide][kSide];
    // The next tile's lines, each in a place of its own: no processor guesses them.
    for (int64_t c = kSide; c < 2 * kSide; ++c) __builtin_prefetch(in + c * in_stride);
    for (int64_t c = 0; c < kSide; c += kLanes)
      for (int64_t r = 0; r < kSide; r += kLanes)
        turn(&tile[r][c], in + c * in_stride + r, in_stride);
    for (int64_t r = 0; r < kSide; ++r) std::memcpy(out + r * out_stride, tile[r], sizeof(tile[r]));
  }

 private:
  static constexpr int kLanes = 16 / sizeof(T);
  typedef T Vector __attribute__((vector_size(16)));

  template <std::size_t... I>
  static Vector low(Vector a, Vector b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, (I / 2 + I % 2 * kLanes)...);
  }
  template <std::size_t... I>
  static Vector high(Vector a, Vector b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, (kLanes / 2 + I / 2 + I % 2 * kLanes)...);
  }

  // Rows that are half the square apart are zipped, as often as the side can be halved.
  static void turn(T* out, const T* in, int64_t in_stride) {
    constexpr auto kEach = std::make_index_sequence<kLanes>();
    Vector rows[kLanes];
    for (int i = 0; i < kLanes; ++i) std::memcpy(&rows[i], in + i * in_stride, sizeof(Vector));
    for (int half = kLanes / 2; half > 0; half /= 2) {
      Vector zipped[kLanes];
      for (int i = 0; i < kLanes / 2; ++i) {
        zipped[2 * i] = low(rows[i], rows[i + kLanes / 2], kEach);
        zipped[2 * i + 1] = high(rows[i], rows[i + kLanes / 2], kEach);
      }
      std::copy_n(zipped, kLanes, rows);
    }
    for (int i = 0; i < kLanes; ++i) std::memcpy(out + i * kSide, &rows[i], sizeof(Vector));
  }
};

/// The unsigned type of this size.
template <std::size_t kBytes>
using BitsOf = std::conditional_t<
    kBytes == 1, uint8_t,
    std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

/// `T` is the unsigned type of the elements' size.
template <class T>
void copy_transposed(const Geometry<2>& g, T* out, const T* in) {
  constexpr int64_t kTile = TransposedTile<T>::kSide, kBlock = 8 * kTile;
  const int last = g.ndim - 1;
  const int other =
      static_cast<int>(std::find(g.strides[1], g.strides[1] + last, 1) - g.strides[1]);
  const int64_t rows = g.sizes[other], columns = g.sizes[last];
  const int64_t out_stride = g.strides[0][other], in_stride = g.strides[1][last];
  const int64_t down = (rows + kBlock - 1) / kBlock, across = (columns + kBlock - 1) / kBlock;
  const int64_t planes = g.numel / (rows * columns);
  const int64_t elements = std::min(rows, kBlock) * std::min(columns, kBlock);
  const auto copy_block = [&](int64_t block) {
    const int64_t c0 = block % across * kBlock, r0 = block / across % down * kBlock;
    T* to = out + r0 * out_stride + c0;
    const T* from = in + c0 * in_stride + r0;
    int64_t plane = block / across / down;
    for (int d = last - 1; d >= 0; --d) {
      if (d == other) continue;
      to += plane % g.sizes[d] * g.strides[0][d];
      from += plane % g.sizes[d] * g.strides[1][d];
      plane /= g.sizes[d];
    }
    const int64_t height = std::min(kBlock, rows - r0), width = std::min(kBlock, columns - c0);
    for (int64_t r = 0; r < height; r += kTile)
      for (int64_t c = 0; c < width; c += kTile)
        TransposedTile<T>::copy(to + r * out_stride + c, out_stride, from + c * in_stride + r,
                                in_stride, std::min(kTile, height - r), std::min(kTile, width - c));
  };
  parallel_for(planes * down * across, std::max<int64_t>(1, kGrain / elements),
               [&](int64_t begin, int64_t end) {
                 for (int64_t block = begin; block < end; ++block) copy_block(block);
               });
}

}  // namespace tensorlib::cpu
