#include "kernels/small_float.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace xfer::kernels {
namespace {

struct Shape {
  int exponent_bits, mantissa_bits;
  bool infinity;  ///< it has infinities, and NaNs beside them
  bool nan;       ///< the code of all ones is a NaN
};

constexpr Shape kShapes[] = {
    {5, 10, true, true},   // f16
    {8, 7, true, true},    // bf16
    {8, 10, true, true},   // tf32
    {4, 3, false, true},   // e4m3
    {5, 2, true, true},    // e5m2
    {2, 1, false, false},  // e2m1
    {2, 3, false, false},  // e2m3
    {3, 2, false, false},  // e3m2
};

const Shape& shape_of(SmallFloat format) { return kShapes[static_cast<std::size_t>(format)]; }

/// A whole number of steps, for a value of either sign.
double rounded(double steps, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest: return std::nearbyint(steps);
    case Rounding::kToZero: return std::trunc(steps);
    case Rounding::kDown: return std::floor(steps);
    case Rounding::kUp: return std::ceil(steps);
    case Rounding::kNearestAway: return std::round(steps);
  }
  return steps;
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

}  // namespace

std::uint32_t encode(double value, SmallFloat format, Rounding rounding, bool finite) {
  if (format == SmallFloat::kUe8m0) return encode_scale(value, rounding);
  const Shape& shape = shape_of(format);
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
    int exponent = value == 0 ? 1 - bias : std::ilogb(value);
    if (exponent < 1 - bias) exponent = 1 - bias;  // subnormal
    const double steps =
        std::fabs(rounded(std::ldexp(value, shape.mantissa_bits - exponent), rounding));
    // A mantissa that rounds up to the next power carries into the exponent by itself.
    const double whole = steps + static_cast<double>(exponent + bias - 1) * mantissas;
    too_large = whole > largest;
    if (!too_large) code = static_cast<std::uint32_t>(whole);
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
  const Shape& shape = shape_of(format);
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
  return sign * std::ldexp(static_cast<double>(mantissa),
                           (exponent == 0 ? 1 : exponent) - bias - shape.mantissa_bits);
}

}  // namespace xfer::kernels
