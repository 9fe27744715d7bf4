// Matrices between memory and registers, and from lane to lane. Lanes meet before they touch
// memory: what any of them stored before is there then.

#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/matrix/matrix.h"

namespace xfer::kernels::matrix {
namespace {

template <unsigned kBytes, typename Move>
void move_each(const Tile& tile, unsigned lane, std::uint64_t row_step, std::uint64_t column_step,
               Move move) {
  for_each_unit(tile, lane, [&](unsigned unit, Place at) {
    move((at.row * row_step + at.column * column_step) * kBytes, unit * kBytes,
         std::integral_constant<unsigned, kBytes>());
  });
}

/// Calls move(place in memory, place in the fragment, bytes) for each of the lane's units. The
/// compiler knows how many bytes.
template <typename Move>
void move_units(Thread* thread, std::uint32_t packed, std::uint64_t row_step,
                std::uint64_t column_step, Move move) {
  const auto tile = std::bit_cast<Tile>(packed);
  const unsigned lane = thread->number % kLanes;
  thread->block->services->warp_barrier(thread, kAllLanes);
  switch (tile.bytes) {
    case 1: return move_each<1>(tile, lane, row_step, column_step, move);
    case 2: return move_each<2>(tile, lane, row_step, column_step, move);
    case 4: return move_each<4>(tile, lane, row_step, column_step, move);
    default: return move_each<8>(tile, lane, row_step, column_step, move);
  }
}

// A matrix of ldmatrix and its kin: two elements of a lane are side by side.
constexpr Tile kSmall{8, 8, 2, 2};
constexpr std::size_t kSmallBytes = kSmall.fragment_bytes();

/// An element of a matrix of 8 * 8, in memory or in registers: the part `at` of `holder`.
struct Part {
  std::size_t holder = 0;
  std::size_t at = 0;  ///< in bytes
};

/// Which row it is in, and where.
Part in_rows(std::size_t row, std::size_t column) { return {row, column * 2}; }

/// Which lane holds it, in which half of its register.
Part in_lanes(std::size_t row, std::size_t column) {
  return {row * 4 + column / 2, column % 2 * 2};
}

}  // namespace

void load(Thread* thread, const std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
          std::uint64_t column_step, std::byte* fragment) {
  move_units(thread, tile, row_step, column_step, [=](std::uint64_t from, unsigned to, auto bytes) {
    std::memcpy(fragment + to, memory + from, bytes());
  });
}

void store(Thread* thread, std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
           std::uint64_t column_step, const std::byte* fragment) {
  move_units(thread, tile, row_step, column_step, [=](std::uint64_t to, unsigned from, auto bytes) {
    std::memcpy(memory + to, fragment + from, bytes());
  });
}

void load_rows(Thread* thread, const std::byte* row, std::uint32_t count, std::uint32_t turned,
               std::byte* fragments) {
  std::byte mine[sizeof(row)];
  std::memcpy(mine, static_cast<const void*>(&row), sizeof(row));
  const std::byte* rows = thread->block->services->exchange(thread, kAllLanes, mine, sizeof(mine));
  const unsigned lane = thread->number % kLanes;
  for (std::size_t i = 0; i < count; ++i)
    for_each_unit(kSmall, lane, [&](std::size_t unit, Place at) {
      const Part part = turned != 0 ? in_rows(at.column, at.row) : in_rows(at.row, at.column);
      const std::byte* from;
      std::memcpy(static_cast<void*>(&from), rows + (i * 8 + part.holder) * 16, sizeof(from));
      std::memcpy(fragments + i * kSmallBytes + unit * 2, from + part.at, 2);
    });
}

void store_rows(Thread* thread, std::byte* row, std::uint32_t count, std::uint32_t turned,
                const std::byte* fragments) {
  const std::byte* all =
      thread->block->services->exchange(thread, kAllLanes, fragments, count * kSmallBytes);
  const std::size_t lane = thread->number % kLanes;
  if (lane >= std::size_t{count} * 8) return;
  for (std::size_t column = 0; column < 8; ++column) {
    const Part part = turned != 0 ? in_lanes(column, lane % 8) : in_lanes(lane % 8, column);
    std::memcpy(row + column * 2, all + part.holder * 16 + lane / 8 * kSmallBytes + part.at, 2);
  }
}

std::uint32_t turn(Thread* thread, std::uint32_t fragment) {
  std::byte mine[sizeof(fragment)];
  std::memcpy(mine, &fragment, sizeof(fragment));
  const std::byte* all = thread->block->services->exchange(thread, kAllLanes, mine, sizeof(mine));
  std::uint32_t result = 0;
  for_each_unit(kSmall, thread->number % kLanes, [&](unsigned unit, Place at) {
    const Part part = in_lanes(at.column, at.row);
    std::uint16_t value;
    std::memcpy(&value, all + part.holder * 16 + part.at, sizeof(value));
    result |= std::uint32_t{value} << (16 * unit);
  });
  return result;
}

}  // namespace xfer::kernels::matrix
