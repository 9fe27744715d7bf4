#pragma once
// The fragments of all lanes of a warp, as generated code for warps keeps them: the lanes' words
// side by side, word by word. In each word row of a matrix whose units are words or less, its rows
// follow one another, eight of them and 16 bytes each.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/matrix/fragment.h"

namespace xfer::kernels::matrix {

/// Code that is compiled for the processor of whoever calls it.
#define XFER_WITH_CALLER [[gnu::always_inline]] inline

inline constexpr unsigned kWordBytes = 4;
inline constexpr unsigned kWordRowBytes = kWordBytes * kLanes;
inline constexpr unsigned kBlockRows = 8;

/// Where the lane's byte at `offset` of its fragment, or of its Registers, lies.
constexpr std::size_t place_of(unsigned offset, unsigned lane) {
  return std::size_t{offset / kWordBytes} * kWordRowBytes + lane * kWordBytes + offset % kWordBytes;
}

/// A block of a matrix: eight rows, of which four lanes hold kRun units each.
template <typename Unit, unsigned kRun>
struct Block {
  static constexpr unsigned kWide = 4 * kRun;  // units of a row
  static constexpr unsigned kUnits = kBlockRows * kWide;
  static constexpr unsigned kBytes = kUnits * sizeof(Unit);

  XFER_WITH_CALLER void load(const std::byte* registers) {
    if constexpr (sizeof(Unit) * kRun == kWordBytes) {
      std::memcpy(units, registers, kBytes);
    } else {
      std::uint32_t words[kRun][kParts][kLanes];
      std::memcpy(words, registers, kBytes);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < kRun; ++i) {
          Unit unit = words[i][0][lane];
          if constexpr (kParts > 1) unit |= Unit{words[i][1][lane]} << 32;
          units[lane * kRun + i] = unit;
        }
    }
  }
  XFER_WITH_CALLER void store(std::byte* registers) const {
    if constexpr (sizeof(Unit) * kRun == kWordBytes) {
      std::memcpy(registers, units, kBytes);
    } else {
      std::uint32_t words[kRun][kParts][kLanes];
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < kRun; ++i) {
          const Unit unit = units[lane * kRun + i];
          words[i][0][lane] = static_cast<std::uint32_t>(unit);
          if constexpr (kParts > 1) words[i][1][lane] = static_cast<std::uint32_t>(unit >> 32);
        }
      std::memcpy(registers, words, kBytes);
    }
  }

  static constexpr unsigned kParts = sizeof(Unit) / kWordBytes;  // words of a unit
  Unit units[kUnits];
};

/// Calls visit(row, column, registers) for the first place of each block.
template <typename Block, typename Bytes, typename Visit>
XFER_WITH_CALLER void for_each_block(const Tile& tile, Bytes* registers, Visit visit) {
  for (unsigned column = 0; column < tile.columns; column += Block::kWide)
    for (unsigned row = 0; row < tile.rows; row += kBlockRows) {
      visit(row, column, registers);
      registers += Block::kBytes;
    }
}

/// Calls with(unit, run) for the type and the run of the tile's units, as values that say it.
template <typename With>
XFER_WITH_CALLER void with_units(const Tile& tile, With with) {
  constexpr std::integral_constant<unsigned, 1> kOne;
  constexpr std::integral_constant<unsigned, 2> kTwo;
  constexpr std::integral_constant<unsigned, 4> kFour;
  switch (tile.bytes) {
    case 1: return with(std::uint8_t{}, kFour);
    case 2: return with(std::uint16_t{}, kTwo);
    case 4: return tile.run == 1 ? with(std::uint32_t{}, kOne) : with(std::uint32_t{}, kTwo);
    default: return tile.run == 1 ? with(std::uint64_t{}, kOne) : with(std::uint64_t{}, kTwo);
  }
}

}  // namespace xfer::kernels::matrix
