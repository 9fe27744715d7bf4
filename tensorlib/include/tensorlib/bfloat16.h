// A bfloat16 number: the upper half of a float32. A storage type, with the range of float and 8
// bits of precision. Arithmetic converts to float and back (round to nearest, ties to even).
#pragma once

#include <cstdint>
#include <cstring>

#include "tensorlib/half.h"

namespace tensorlib {

struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  TENSORLIB_HOST_DEVICE TENSORLIB_INLINE BFloat16(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    // Rounding could turn a NaN into an infinity.
    bits = value != value ? uint16_t{0x7fc0}
                          : static_cast<uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
  }
  TENSORLIB_HOST_DEVICE TENSORLIB_INLINE operator float() const {
    const uint32_t word = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};
static_assert(sizeof(BFloat16) == 2, "BFloat16 is the storage format");

}  // namespace tensorlib
