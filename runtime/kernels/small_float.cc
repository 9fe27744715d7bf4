#include "kernels/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

namespace xfer::kernels {
namespace {

/// Whether a number of steps, of which `rest` of `whole` step is cut off, goes one step away from
/// 0.
bool rounds_away(std::uint64_t steps, std::uint64_t rest, std::uint64_t whole, bool negative,
                 Rounding rounding) {
  const std::uint64_t half = whole / 2;
  switch (rounding) {
    case Rounding::kNearest: return rest > half || (rest == half && (steps & 1) != 0);
    case Rounding::kToZero: return false;
    case Rounding::kDown: return negative && rest != 0;
    case Rounding::kUp: return !negative && rest != 0;
    case Rounding::kNearestAway: return rest >= half;
  }
  return false;
}

constexpr unsigned kFraction = 52;  // bits of a double's
constexpr int kDoubleBias = 1023;

/// 2 to the power of n, which is that of a normal double.
double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + kDoubleBias) << kFraction);
}

std::uint32_t encode_scale(double value, Rounding rounding) {
  if (std::isnan(value)) return 255;
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(value), &exponent);
  if (value == 0) return 0;
  if (!std::isinf(value) && (mantissa == 0.5 || rounding != Rounding::kUp)) --exponent;
  const int code = std::isinf(value) ? 254 : exponent + 127;
  return static_cast<std::uint32_t>(code < 0 ? 0 : code > 254 ? 254 : code);
}

constexpr FloatShape kShapes[] = {
    {5, 10, true, true},   // f16
    {8, 7, true, true},    // bf16
    {8, 10, true, true},   // tf32
    {4, 3, false, true},   // e4m3
    {5, 2, true, true},    // e5m2
    {2, 1, false, false},  // e2m1
    {2, 3, false, false},  // e2m3
    {3, 2, false, false},  // e3m2
};

}  // namespace

const FloatShape& shape_of(SmallFloat format) { return kShapes[static_cast<std::size_t>(format)]; }

std::uint32_t encode(double value, SmallFloat format, Rounding rounding, bool finite) {
  if (format == SmallFloat::kUe8m0) return encode_scale(value, rounding);
  const FloatShape& shape = shape_of(format);
  const std::uint32_t mantissas = std::uint32_t{1} << shape.mantissa_bits;
  const std::uint32_t top = (std::uint32_t{1} << shape.exponent_bits) * mantissas;
  const std::uint32_t sign = std::signbit(value) ? top : 0;
  const std::uint32_t infinity = top - mantissas;
  const std::uint32_t nan = top - 1;
  const std::uint32_t largest = shape.infinity ? infinity - 1 : shape.nan ? nan - 1 : nan;
  if (std::isnan(value)) return shape.nan ? nan : largest;
  const int bias = (1 << (shape.exponent_bits - 1)) - 1;

  std::uint32_t code = 0;
  bool too_large = std::isinf(value);
  if (!too_large) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent_bits = static_cast<int>(bits >> kFraction & 0x7FF);
    std::uint64_t fraction = bits & ((std::uint64_t{1} << kFraction) - 1);
    if (exponent_bits != 0) fraction |= std::uint64_t{1} << kFraction;
    const int own = std::max(exponent_bits, 1) - kDoubleBias;
    const int exponent = std::max(own, 1 - bias);  // the least one has subnormals
    const int shift =
        std::min(static_cast<int>(kFraction) - shape.mantissa_bits + exponent - own, 62);
    const std::uint64_t whole = std::uint64_t{1} << shift;
    std::uint64_t steps = fraction >> shift;
    if (rounds_away(steps, fraction & (whole - 1), whole, sign != 0, rounding)) ++steps;
    // A mantissa that rounds up to the next power carries into the exponent by itself.
    const std::uint64_t its = steps + static_cast<std::uint64_t>(exponent + bias - 1) * mantissas;
    too_large = its > largest;
    if (!too_large) code = static_cast<std::uint32_t>(its);
  }
  if (!too_large) return sign | code;
  const bool towards_zero = rounding == Rounding::kToZero ||
                            (rounding == Rounding::kDown && sign == 0) ||
                            (rounding == Rounding::kUp && sign != 0);
  if (finite || !shape.nan || (towards_zero && !std::isinf(value))) return sign | largest;
  return sign | (shape.infinity ? infinity : nan);
}

double decode(std::uint32_t code, SmallFloat format) {
  if (format == SmallFloat::kUe8m0)
    return code == 255 ? std::numeric_limits<double>::quiet_NaN()
                       : std::ldexp(1.0, static_cast<int>(code) - 127);
  const FloatShape& shape = shape_of(format);
  const std::uint32_t mantissas = std::uint32_t{1} << shape.mantissa_bits;
  const std::uint32_t top = (std::uint32_t{1} << shape.exponent_bits) * mantissas;
  const double sign = (code & top) != 0 ? -1.0 : 1.0;
  const std::uint32_t size = code & (top - 1);
  if (shape.infinity && size >= top - mantissas)
    return size == top - mantissas ? sign * std::numeric_limits<double>::infinity()
                                   : std::numeric_limits<double>::quiet_NaN();
  if (!shape.infinity && shape.nan && size == top - 1)
    return std::numeric_limits<double>::quiet_NaN();
  const int bias = (1 << (shape.exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(size / mantissas);
  const std::uint32_t mantissa = size % mantissas + (exponent == 0 ? 0 : mantissas);
  return sign * mantissa *
         power_of_two((exponent == 0 ? 1 : exponent) - bias - shape.mantissa_bits);
}

}  // namespace xfer::kernels
