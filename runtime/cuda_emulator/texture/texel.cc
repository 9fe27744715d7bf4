#include "texture/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace xfer::emulator::texture {
namespace {

struct Half {
  std::uint16_t bits;
};

/// A channel as it is.
struct AsElement {
  static constexpr std::uint32_t kOne = 1;

  template <typename T>
  static std::uint32_t convert(T value, unsigned) {
    if constexpr (std::is_same_v<T, Half>)
      return std::bit_cast<std::uint32_t>(from_half(value.bits));
    else if constexpr (std::is_same_v<T, float>)
      return std::bit_cast<std::uint32_t>(value);
    else
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  }
};

struct AsNormalized {
  static constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0F);

  template <typename T>
  static float normal(T value) {
    const float scaled = static_cast<float>(value) / float{std::numeric_limits<T>::max()};
    return std::max(scaled, -1.0F);
  }
  template <typename T>
  static std::uint32_t convert(T value, unsigned) {
    return std::bit_cast<std::uint32_t>(normal(value));
  }
};

struct AsLinearLight : AsNormalized {
  template <typename T>
  static std::uint32_t convert(T value, unsigned channel) {
    float light = normal(value);
    if (channel < 3)
      light = light <= 0.04045F ? light / 12.92F : std::pow((light + 0.055F) / 1.055F, 2.4F);
    return std::bit_cast<std::uint32_t>(light);
  }
};

template <typename How, typename T, unsigned kChannels>
Words read_texel(const std::byte* texel) {
  constexpr bool kFloats = std::is_same_v<T, Half> || std::is_same_v<T, float>;
  Words words{0, 0, 0, kFloats ? AsNormalized::kOne : How::kOne};
  T values[kChannels];
  std::memcpy(values, texel, sizeof(values));
  for (unsigned i = 0; i < kChannels; ++i) words[i] = How::convert(values[i], i);
  return words;
}

template <typename How, typename T>
Reader of_channels(unsigned channels) {
  switch (channels) {
    case 1: return &read_texel<How, T, 1>;
    case 2: return &read_texel<How, T, 2>;
    case 4: return &read_texel<How, T, 4>;
    default: return nullptr;
  }
}

template <typename How>
Reader of_small_integers(Format format) {
  const bool sign = format.kind == Format::Kind::kSigned;
  if (format.kind == Format::Kind::kFloat) return nullptr;
  if (format.bits == 8)
    return sign ? of_channels<How, std::int8_t>(format.channels)
                : of_channels<How, std::uint8_t>(format.channels);
  if (format.bits == 16)
    return sign ? of_channels<How, std::int16_t>(format.channels)
                : of_channels<How, std::uint16_t>(format.channels);
  return nullptr;
}

}  // namespace

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  if (exponent == 31)
    return mantissa != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

Reader element_reader(Format format) {
  if (format.kind == Format::Kind::kFloat) {
    if (format.bits == 16) return of_channels<AsElement, Half>(format.channels);
    return format.bits == 32 ? of_channels<AsElement, float>(format.channels) : nullptr;
  }
  if (format.bits == 32) return of_channels<AsElement, std::uint32_t>(format.channels);
  return of_small_integers<AsElement>(format);
}

Reader normalized_reader(Format format, bool srgb) {
  if (srgb && format.kind == Format::Kind::kUnsigned && format.bits == 8)
    return of_channels<AsLinearLight, std::uint8_t>(format.channels);
  return of_small_integers<AsNormalized>(format);
}

}  // namespace xfer::emulator::texture
