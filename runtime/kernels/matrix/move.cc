// Matrices between memory and registers, and from lane to lane. Lanes meet before they touch
// memory: what any of them stored before is there then.

#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/matrix/matrix.h"
#include "kernels/matrix/warp_registers.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels::matrix {
namespace {

template <unsigned kBytes, typename Move>
void move_each(const Tile& tile, unsigned lane, std::uint64_t row_step, std::uint64_t column_step,
               Move move) {
  for_each_unit(tile, lane, [&](unsigned unit, Cell at) {
    move((at.row * row_step + at.column * column_step) * kBytes, unit * kBytes,
         std::integral_constant<unsigned, kBytes>());
  });
}

/// Calls move(place in memory, place in the fragment, bytes) for each of the lane's units. The
/// compiler knows how many bytes.
template <typename Move>
void move_units(unsigned lane, std::uint32_t packed, std::uint64_t row_step,
                std::uint64_t column_step, Move move) {
  const auto tile = std::bit_cast<Tile>(packed);
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

void load_units(unsigned lane, const std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
                std::uint64_t column_step, std::byte* fragment) {
  move_units(lane, tile, row_step, column_step, [=](std::uint64_t from, unsigned to, auto bytes) {
    std::memcpy(fragment + to, memory + from, bytes());
  });
}

void store_units(unsigned lane, std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
                 std::uint64_t column_step, const std::byte* fragment) {
  move_units(lane, tile, row_step, column_step, [=](std::uint64_t to, unsigned from, auto bytes) {
    std::memcpy(memory + to, fragment + from, bytes());
  });
}

/// `row_of(n)`: the n-th row of all matrices.
template <typename RowOf>
void load_lane(unsigned lane, std::uint32_t count, bool turned, std::byte* fragments,
               RowOf row_of) {
  for (std::size_t i = 0; i < count; ++i)
    for_each_unit(kSmall, lane, [&](std::size_t unit, Cell at) {
      const Part part = turned ? in_rows(at.column, at.row) : in_rows(at.row, at.column);
      std::memcpy(fragments + i * kSmallBytes + unit * 2, row_of(i * 8 + part.holder) + part.at, 2);
    });
}

/// `of_lane(n)`: the registers of that lane.
template <typename OfLane>
void store_lane(std::size_t lane, std::uint32_t count, bool turned, std::byte* row,
                OfLane of_lane) {
  if (lane >= std::size_t{count} * 8) return;
  for (std::size_t column = 0; column < 8; ++column) {
    const Part part = turned ? in_lanes(column, lane % 8) : in_lanes(lane % 8, column);
    std::memcpy(row + column * 2, of_lane(part.holder) + lane / 8 * kSmallBytes + part.at, 2);
  }
}

template <typename OfLane>
std::uint32_t turned_part(unsigned lane, OfLane of_lane) {
  std::uint32_t result = 0;
  for_each_unit(kSmall, lane, [&](unsigned unit, Cell at) {
    const Part part = in_lanes(at.column, at.row);
    std::uint16_t value;
    std::memcpy(&value, of_lane(part.holder) + part.at, sizeof(value));
    result |= std::uint32_t{value} << (16 * unit);
  });
  return result;
}

unsigned lane_of(const Thread* thread) { return thread->number % kLanes; }

/// The values of all lanes, by lane number.
auto exchanged(Thread* thread, const void* mine, std::uint32_t bytes) {
  const std::byte* all = thread->block->services->exchange(
      thread, kAllLanes, static_cast<const std::byte*>(mine), bytes);
  return [all](std::size_t lane) { return all + lane * 16; };
}

}  // namespace

void load(Thread* thread, const std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
          std::uint64_t column_step, std::byte* fragment) {
  thread->block->services->warp_barrier(thread, kAllLanes);
  load_units(lane_of(thread), memory, tile, row_step, column_step, fragment);
}

void store(Thread* thread, std::byte* memory, std::uint32_t tile, std::uint64_t row_step,
           std::uint64_t column_step, const std::byte* fragment) {
  thread->block->services->warp_barrier(thread, kAllLanes);
  store_units(lane_of(thread), memory, tile, row_step, column_step, fragment);
}

void load_rows(Thread* thread, const std::byte* row, std::uint32_t count, std::uint32_t turned,
               std::byte* fragments) {
  const auto rows = exchanged(thread, static_cast<const void*>(&row), sizeof(row));
  load_lane(lane_of(thread), count, turned != 0, fragments, [&](std::size_t n) {
    const std::byte* its;
    std::memcpy(static_cast<void*>(&its), rows(n), sizeof(its));
    return its;
  });
}

void store_rows(Thread* thread, std::byte* row, std::uint32_t count, std::uint32_t turned,
                const std::byte* fragments) {
  store_lane(lane_of(thread), count, turned != 0, row,
             exchanged(thread, fragments, count * kSmallBytes));
}

std::uint32_t turn(Thread* thread, std::uint32_t fragment) {
  return turned_part(lane_of(thread), exchanged(thread, &fragment, sizeof(fragment)));
}

namespace together {

void load(std::uint32_t mask, const std::byte* memory, std::uint32_t packed, std::uint64_t row_step,
          std::uint64_t column_step, std::byte* fragments) {
  const auto tile = std::bit_cast<Tile>(packed);
  if (mask != 0)
    with_units(tile, [=](auto unit, auto run) {
      using Unit = decltype(unit);
      using Its = Block<Unit, run()>;
      for_each_block<Its>(tile, fragments, [=](unsigned row, unsigned column, std::byte* at) {
        Its block;
        for (unsigned i = 0; i < kBlockRows; ++i) {
          const std::byte* from = memory + (row + i) * row_step * sizeof(Unit);
          from += column * column_step * sizeof(Unit);
          Unit* const to = block.units + i * Its::kWide;
          if (column_step == 1)
            std::memcpy(to, from, Its::kWide * sizeof(Unit));
          else
            for (unsigned j = 0; j < Its::kWide; ++j)
              std::memcpy(to + j, from + j * column_step * sizeof(Unit), sizeof(Unit));
        }
        block.store(at);
      });
    });
}

void store(std::uint32_t mask, std::byte* memory, std::uint32_t packed, std::uint64_t row_step,
           std::uint64_t column_step, const std::byte* fragments) {
  const auto tile = std::bit_cast<Tile>(packed);
  if (mask != 0)
    with_units(tile, [=](auto unit, auto run) {
      using Unit = decltype(unit);
      using Its = Block<Unit, run()>;
      for_each_block<Its>(tile, fragments, [=](unsigned row, unsigned column, const std::byte* at) {
        Its block;
        block.load(at);
        for (unsigned i = 0; i < kBlockRows; ++i)
          for (unsigned j = 0; j < Its::kWide; ++j)
            std::memcpy(memory + ((row + i) * row_step + (column + j) * column_step) * sizeof(Unit),
                        block.units + i * Its::kWide + j, sizeof(Unit));
      });
    });
}

void load_rows(std::uint32_t mask, const std::byte* const* rows, std::uint32_t count,
               std::uint32_t turned, std::byte* fragments) {
  if (turned == 0 && mask == kAllLanes) {  // each row is four lanes' words
    for (std::size_t row = 0; row < std::size_t{count} * 8; ++row)
      std::memcpy(fragments + row * 16, rows[row], 16);
    return;
  }
  for_each_lane(mask, [&](unsigned lane) {
    std::byte mine[4 * kSmallBytes];
    load_lane(lane, count, turned != 0, mine, [&](std::size_t n) { return rows[n]; });
    for (unsigned at = 0; at < count * kSmallBytes; at += kWordBytes)
      std::memcpy(fragments + place_of(at, lane), mine + at, kWordBytes);
  });
}

void store_rows(std::uint32_t mask, std::byte* const* rows, std::uint32_t count,
                std::uint32_t turned, const std::byte* fragments) {
  std::byte all[kLanes][4 * kSmallBytes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned at = 0; at < count * kSmallBytes; at += kWordBytes)
      std::memcpy(all[lane] + at, fragments + place_of(at, lane), kWordBytes);
  for_each_lane(mask, [&](unsigned lane) {
    store_lane(lane, count, turned != 0, rows[lane], [&](std::size_t n) { return all[n]; });
  });
}

void turn(std::uint32_t mask, const std::uint32_t* fragments, std::uint32_t* results) {
  for_each_lane(mask, [&](unsigned lane) {
    results[lane] = turned_part(
        lane, [&](std::size_t n) { return reinterpret_cast<const std::byte*>(fragments + n); });
  });
}

}  // namespace together

}  // namespace xfer::kernels::matrix
