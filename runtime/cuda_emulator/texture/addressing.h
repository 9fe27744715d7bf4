#pragma once
// From a coordinate to texels along one axis: "Texture Fetching" of CUDA's programming guide.
// Inline: kernels do little else.

#include <algorithm>
#include <cstdint>

namespace xfer::emulator::texture {

/// The texels beyond an edge: as cudaTextureAddressMode.
enum class AddressMode : std::uint8_t { kWrap, kClamp, kMirror, kBorder };

struct Axis {
  AddressMode mode = AddressMode::kClamp;
  bool normalized = false;  ///< coordinates go from 0 to 1
  std::int32_t size = 1;    ///< texels
};

/// One texel, or two that are neighbours.
struct Taps {
  static constexpr std::int32_t kOutside = -1;  ///< the border

  std::int32_t first = 0;
  std::int32_t second = 0;
  float weight = 0;  ///< of the second, in 1/256; the first has the rest

  template <typename Each>  // each(texel, weight), of those that have any
  void for_each(Each each) const {
    each(first, 1 - weight);
    if (weight != 0) each(second, weight);
  }
};

/// As `addressed`, of one that is not between 0 and the size.
std::int32_t addressed_beyond(std::int32_t index, const Axis& axis);

/// The texel that is number `index` where there is an edge in the way, or kOutside.
inline std::int32_t addressed(std::int32_t index, const Axis& axis) {
  return index >= 0 && index < axis.size ? index : addressed_beyond(index, axis);
}

/// As std::floor, which asks the CPU first what it can do.
inline float whole_below(float value) {
  constexpr float kWhole = 1 << 23;  // from here on all are
  if (!(value > -kWhole && value < kWhole)) return value;
  const auto cut = static_cast<float>(static_cast<std::int32_t>(value));
  return cut > value ? cut - 1 : cut;
}

/// The coordinate in texels. One that wraps or mirrors is first brought near 0, where floats are
/// precise. The result is cut off farther out than any texture is large; NaN ends there too.
inline float in_texels(float coordinate, const Axis& axis) {
  constexpr float kFar = 1 << 20;
  if (axis.normalized) {
    if (axis.mode == AddressMode::kWrap) coordinate -= whole_below(coordinate);
    if (axis.mode == AddressMode::kMirror) coordinate -= 2 * whole_below(coordinate / 2);
    coordinate *= static_cast<float>(axis.size);
  }
  return coordinate > -kFar ? std::min(coordinate, kFar) : -kFar;
}

/// The texel that the coordinate lies in; it has all the weight.
inline Taps nearest(float coordinate, const Axis& axis) {
  const std::int32_t texel =
      addressed(static_cast<std::int32_t>(whole_below(in_texels(coordinate, axis))), axis);
  return {texel, texel, 0};
}

/// The two whose centres the coordinate lies between.
inline Taps between(float coordinate, const Axis& axis) {
  // Weights have 8 bits behind the point, 1 being one of them: then it is the next texel's 0.
  // To the nearest; the offset makes all of them positive, so that cutting rounds down.
  constexpr std::int64_t kOffset = std::int64_t{1} << 32;
  const double from_centre = double{in_texels(coordinate, axis)} - 0.5;
  const std::int64_t fixed =
      static_cast<std::int64_t>(from_centre * 256 + 0.5 + static_cast<double>(kOffset)) - kOffset;
  const auto index = static_cast<std::int32_t>(fixed >> 8);
  return {addressed(index, axis), addressed(index + 1, axis),
          static_cast<float>(fixed & 255) / 256};
}

}  // namespace xfer::emulator::texture
