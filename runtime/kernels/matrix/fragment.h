#pragma once
// How the lanes of a warp hold a matrix: each has some of its units in registers, its fragment.
//
// The PTX ISA draws a picture for each shape of mma ("Matrix Fragments for mma.m16n8k16..."). All
// follow one rule, with B turned over: its rows here are its columns there. The fragments of wmma,
// which the ISA leaves open, follow it too.

#include <cstddef>
#include <cstdint>

#include "kernels/matrix/element.h"

namespace xfer::kernels::matrix {

inline constexpr unsigned kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;

struct Tile {
  std::uint8_t rows = 0;     ///< a multiple of 8
  std::uint8_t columns = 0;  ///< in units, a multiple of 4 * run
  std::uint8_t bytes = 0;    ///< of a unit
  std::uint8_t run = 0;      ///< units side by side in a row that one lane holds

  constexpr unsigned units() const { return unsigned{rows} * columns / kLanes; }  ///< of a lane
  constexpr unsigned fragment_bytes() const { return units() * bytes; }
};

struct Cell {
  unsigned row = 0;
  unsigned column = 0;
};

/// Calls visit(unit, place) for the units of a lane, in their order. Four lanes share a row; blocks
/// of eight rows follow one another, then those to the right of them.
template <typename Visit>
constexpr void for_each_unit(const Tile& tile, unsigned lane, Visit visit) {
  unsigned unit = 0;
  for (unsigned column = lane % 4 * tile.run; column < tile.columns; column += 4U * tile.run)
    for (unsigned row = lane / 4; row < tile.rows; row += 8)
      for (unsigned i = 0; i < tile.run; ++i) visit(unit++, Cell{row, column + i});
}

/// Of A (m rows) and of B (n rows), k elements each.
constexpr Tile factor_tile(unsigned rows, unsigned k, Element element) {
  const unsigned bytes = unit_bytes(element);
  return {static_cast<std::uint8_t>(rows), static_cast<std::uint8_t>(k / elements_of_unit(element)),
          static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes < 4 ? 4 / bytes : 1)};
}

/// Of C and D.
constexpr Tile sum_tile(unsigned rows, unsigned columns, Element element) {
  return {static_cast<std::uint8_t>(rows), static_cast<std::uint8_t>(columns),
          static_cast<std::uint8_t>(unit_bytes(element)), 2};
}

inline constexpr unsigned kMostBytesOfA = 64;
inline constexpr unsigned kMostBytesOfB = 32;
inline constexpr unsigned kMostBytesOfC = 32;

/// Through which generated code and the functions of matrix.h pass registers. D comes back in c.
struct Registers {
  alignas(16) std::byte a[kMostBytesOfA];
  std::byte b[kMostBytesOfB];
  std::byte c[kMostBytesOfC];
};

}  // namespace xfer::kernels::matrix
