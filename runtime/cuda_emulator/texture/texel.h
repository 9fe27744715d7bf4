#pragma once
// One element of an image: up to four channels, as memory has them and as instructions give them.

#include <cstddef>
#include <cstdint>

namespace xfer::emulator::texture {

struct Format {
  enum class Kind : std::uint8_t { kSigned, kUnsigned, kFloat };

  Kind kind = Kind::kUnsigned;
  std::uint8_t bits = 8;      ///< of a channel: 8, 16 or 32; of floats 16 or 32
  std::uint8_t channels = 1;  ///< 1, 2 or 4
  unsigned bytes() const { return unsigned{bits} / 8 * channels; }
};

/// Integers, or the bits of floats. Of channels that a texel lacks the fourth is 1, the others 0.
/// In one register of the CPU, as kernels do little else.
using Words = std::uint32_t __attribute__((vector_size(16)));
using Floats = float __attribute__((vector_size(16)));
using Reader = Words (*)(const std::byte* texel);

/// Channels as they are: integers in 32 bits, floats as f32. Null: there is no such format.
Reader element_reader(Format format);

/// Integers as floats: from 0 to 1, signed ones from -1. `srgb`: the first three channels are so
/// encoded (of unsigned 8-bit ones). Null: they are not of 8 or 16 bits.
Reader normalized_reader(Format format, bool srgb);

float from_half(std::uint16_t bits);

}  // namespace xfer::emulator::texture
