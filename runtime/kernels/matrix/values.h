#pragma once
// Elements of matrices as numbers to calculate with.

#include <cstddef>
#include <cstdint>

#include "kernels/matrix/element.h"

namespace xfer::kernels::matrix {

inline constexpr unsigned kNibbles = 8;

/// How many values a unit becomes, 1 or kNibbles: the bits of a word of b1 stay together.
constexpr unsigned values_of_unit(Element element) {
  return kind_of(element).bits == 4 ? kNibbles : 1;
}

void decode(Element element, const std::byte* units, unsigned count, double* values);
void decode(Element element, const std::byte* units, unsigned count, std::int32_t* values);

double load_sum(Element element, const std::byte* unit);
/// Rounds to the nearest.
void store_sum(Element element, double value, std::byte* unit);
/// Wraps or saturates.
void store_sum(std::int64_t value, bool saturate, std::byte* unit);

}  // namespace xfer::kernels::matrix
