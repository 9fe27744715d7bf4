#pragma once
// Units of matrices as numbers, one by one and in ways that compilers make vectors of.

#include <bit>
#include <cstdint>

namespace xfer::kernels::matrix {

inline float from_f32(std::uint32_t code) { return std::bit_cast<float>(code); }

inline float from_tf32(std::uint32_t code) { return from_f32(code & 0xFFFFE000U); }

inline float from_bf16(std::uint16_t code) { return from_f32(std::uint32_t{code} << 16); }

inline float from_f16(std::uint16_t code) {
  // The exponents' biases differ by 112: multiplying makes subnormals right too.
  constexpr std::uint32_t kSpecial = 0x7C00;
  const std::uint32_t size = (code & 0x7FFFU) << 13;
  const float finite = from_f32(size) * 0x1p112F;
  const std::uint32_t bits =
      (code & kSpecial) == kSpecial ? size | 0x7F800000U : std::bit_cast<std::uint32_t>(finite);
  return from_f32(bits | (code & 0x8000U) << 16);
}

/// The upper half of an f16.
inline float from_e5m2(std::uint8_t code) {
  return from_f16(static_cast<std::uint16_t>(code << 8));
}

inline float from_e4m3(std::uint8_t code) {
  // Those of f16 differ by 8. There are no infinities, and one NaN of either sign.
  if ((code & 0x7F) == 0x7F) return from_f32(0x7FC00000);
  return from_f16(static_cast<std::uint16_t>((code & 0x80) << 8 | (code & 0x7F) << 7)) * 256;
}

/// Of the elements of 4 bits that a word holds, the one that `shift` brings to its top.
inline std::int32_t from_s4(std::uint32_t word, unsigned shift) {
  return static_cast<std::int32_t>(word << shift) >> 28;
}
inline std::int32_t from_u4(std::uint32_t word, unsigned shift) {
  return static_cast<std::int32_t>(word << shift >> 28);
}

}  // namespace xfer::kernels::matrix
