#pragma once
// Elements of matrices as numbers to calculate with.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/matrix/element.h"
#include "kernels/matrix/fragment.h"

namespace xfer::kernels::matrix {

inline constexpr unsigned kNibbles = 8;

/// How many values a unit becomes, 1 or kNibbles: the bits of a word of b1 stay together.
constexpr unsigned values_of_unit(Element element) {
  return kind_of(element).bits == 4 ? kNibbles : 1;
}

void decode(Element element, const std::byte* units, unsigned count, double* values);
void decode(Element element, const std::byte* units, unsigned count, std::int32_t* values);

/// As many as a fragment of A or B may have.
template <typename Value>
inline constexpr unsigned kMostDepth = 256 / sizeof(Value);  // 32 floats, 64 integers

/// Calls visit(row, k, value) for all that a lane holds of A or of B, whose rows are its columns.
template <typename Value, typename Visit>
void for_each_value(Element element, const Tile& tile, unsigned lane, const std::byte* units,
                    Visit visit) {
  Value values[kMostDepth<Value>];
  decode(element, units, tile.units(), values);
  const unsigned each = values_of_unit(element);
  for_each_unit(tile, lane, [&](unsigned unit, Cell at) {
    for (unsigned i = 0; i < each; ++i)
      visit(at.row, at.column * each + i, values[unit * each + i]);
  });
}

/// The one NaN that tensor cores give.
inline constexpr std::uint32_t kNanOfSums = 0x7FFFFFFF;

double load_sum(Element element, const std::byte* unit);
/// Rounds to the nearest.
void store_sum(Element element, double value, std::byte* unit);
constexpr std::int64_t saturated(std::int64_t sum) {
  using Limits = std::numeric_limits<std::int32_t>;
  return std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
}
/// Wraps or saturates.
void store_sum(std::int64_t value, bool saturate, std::byte* unit);

}  // namespace xfer::kernels::matrix
