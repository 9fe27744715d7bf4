#include "texture/addressing.h"

namespace xfer::emulator::texture {

std::int32_t addressed_beyond(std::int32_t index, const Axis& axis) {
  const auto modulo = [&](std::int64_t period) {
    return static_cast<std::int32_t>((index % period + period) % period);
  };
  if (axis.mode == AddressMode::kBorder) return Taps::kOutside;
  // Without normalized coordinates nothing repeats.
  if (axis.normalized && axis.mode == AddressMode::kWrap) return modulo(axis.size);
  if (axis.normalized && axis.mode == AddressMode::kMirror) {
    const std::int32_t forth = modulo(2 * std::int64_t{axis.size});
    return std::min(forth, 2 * axis.size - 1 - forth);
  }
  return index < 0 ? 0 : axis.size - 1;
}

}  // namespace xfer::emulator::texture
