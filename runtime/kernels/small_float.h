#pragma once
// Floats of fewer bits than the C++ types: their codes from doubles and back.

#include <cstdint>

namespace xfer::kernels {

enum class SmallFloat : std::uint32_t {
  kF16,
  kBf16,
  kTf32,  ///< in the lowest 19 bits
  kE4m3,
  kE5m2,
  kE2m1,
  kE2m3,
  kE3m2,
  kUe8m0,
};

enum class Rounding : std::uint32_t { kNearest, kToZero, kDown, kUp, kNearestAway };

struct FloatShape {
  int exponent_bits, mantissa_bits;
  bool infinity;  ///< it has infinities, and NaNs beside them
  bool nan;       ///< the code of all ones is a NaN
};
/// Of all but ue8m0, which is an exponent alone.
const FloatShape& shape_of(SmallFloat format);

/// With `finite`, what is too large becomes the largest number there is.
std::uint32_t encode(double value, SmallFloat format, Rounding rounding, bool finite);
double decode(std::uint32_t code, SmallFloat format);

}  // namespace xfer::kernels
