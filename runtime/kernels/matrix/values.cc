#include "kernels/matrix/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/matrix/decode_unit.h"
#include "kernels/small_float.h"

namespace xfer::kernels::matrix {
namespace {

template <typename Unit>
Unit unit_at(const std::byte* units, unsigned index = 0) {
  Unit unit;
  std::memcpy(&unit, units + index * sizeof(Unit), sizeof(Unit));
  return unit;
}

/// Calls value(unit) for each.
template <typename Unit, typename Value, typename Decode>
void decode_each(const std::byte* units, unsigned count, Value* values, Decode value) {
  for (unsigned i = 0; i < count; ++i) values[i] = value(unit_at<Unit>(units, i));
}

template <typename Nibble>
void decode_nibbles(const std::byte* units, unsigned count, std::int32_t* values, Nibble value) {
  for (unsigned i = 0; i < count; ++i) {
    const auto word = unit_at<std::uint32_t>(units, i);
    for (unsigned j = 0; j < kNibbles; ++j) *values++ = value(word, 28 - 4 * j);
  }
}

template <typename Unit>
void put(std::byte* unit, Unit value) {
  std::memcpy(unit, &value, sizeof(value));
}

}  // namespace

void decode(Element element, const std::byte* units, unsigned count, double* values) {
  switch (element) {
    case Element::kF64: std::memcpy(values, units, count * sizeof(double)); break;
    case Element::kTf32: decode_each<std::uint32_t>(units, count, values, from_tf32); break;
    case Element::kBf16: decode_each<std::uint16_t>(units, count, values, from_bf16); break;
    case Element::kF16: decode_each<std::uint16_t>(units, count, values, from_f16); break;
    case Element::kE5m2: decode_each<std::uint8_t>(units, count, values, from_e5m2); break;
    default: decode_each<std::uint8_t>(units, count, values, from_e4m3);
  }
}

void decode(Element element, const std::byte* units, unsigned count, std::int32_t* values) {
  switch (element) {
    case Element::kS8:
      decode_each<std::int8_t>(units, count, values,
                               [](std::int8_t code) { return std::int32_t{code}; });
      break;
    case Element::kU8:
      decode_each<std::uint8_t>(units, count, values, [](std::uint8_t code) { return code; });
      break;
    case Element::kS4: decode_nibbles(units, count, values, from_s4); break;
    case Element::kU4: decode_nibbles(units, count, values, from_u4); break;
    default: std::memcpy(values, units, count * sizeof(std::int32_t));
  }
}

double load_sum(Element element, const std::byte* unit) {
  switch (element) {
    case Element::kF64: return unit_at<double>(unit);
    case Element::kF16: return from_f16(unit_at<std::uint16_t>(unit));
    default: return unit_at<float>(unit);
  }
}

void store_sum(Element element, double value, std::byte* unit) {
  switch (element) {
    case Element::kF64: return put(unit, value);
    case Element::kF16:
      return put(unit, static_cast<std::uint16_t>(
                           encode(value, SmallFloat::kF16, Rounding::kNearest, false)));
    default:
      put(unit,
          std::isnan(value) ? kNanOfSums : std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
}

void store_sum(std::int64_t value, bool saturate, std::byte* unit) {
  put(unit, static_cast<std::uint32_t>(saturate ? saturated(value) : value));
}

}  // namespace xfer::kernels::matrix
