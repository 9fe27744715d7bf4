#pragma once
// Rows of bytes in memory, and slices of rows.

#include <cstddef>
#include <cstring>

namespace xfer::emulator {

/// How far it is from row to row and from slice to slice.
struct Step {
  std::size_t row;
  std::size_t slice;
};

struct Rows {
  std::byte* address;
  Step step;
  std::byte* at(std::size_t row, std::size_t slice) const {
    return address + slice * step.slice + row * step.row;
  }
};

struct Extent {
  std::size_t width, height, depth;

  std::size_t bytes() const { return width * height * depth; }
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  bool plain() const { return height == 1 && depth == 1; }
  /// As rows lie that have nothing between them.
  Step dense() const { return {width, width * height}; }
  bool is_dense(Step step) const {
    return (height == 1 || step.row == width) && (depth == 1 || step.slice == width * height);
  }
  template <typename EachRow>
  void for_each_row(EachRow each) const {
    for (std::size_t slice = 0; slice < depth; ++slice)
      for (std::size_t row = 0; row < height; ++row) each(row, slice);
  }
};

inline void copy_rows(Rows to, Rows from, Extent extent) {
  if (extent.is_dense(to.step) && extent.is_dense(from.step)) {
    std::memmove(to.address, from.address, extent.bytes());
    return;
  }
  extent.for_each_row([&](std::size_t row, std::size_t slice) {
    std::memmove(to.at(row, slice), from.at(row, slice), extent.width);
  });
}

inline void fill_rows(Rows to, int value, Extent extent) {
  extent.for_each_row([&](std::size_t row, std::size_t slice) {
    std::memset(to.at(row, slice), value, extent.width);
  });
}

/// With a value of 1, 2 or 4 bytes.
inline void fill_rows(Rows to, int value, unsigned value_bytes, Extent extent) {
  if (value_bytes == 1) return fill_rows(to, value, extent);
  extent.for_each_row([&](std::size_t row, std::size_t slice) {
    std::byte* const begin = to.at(row, slice);
    for (std::size_t at = 0; at < extent.width; at += value_bytes)
      std::memcpy(begin + at, &value, value_bytes);
  });
}

}  // namespace xfer::emulator
