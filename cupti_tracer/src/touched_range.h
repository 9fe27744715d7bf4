#pragma once
// The ranges of device and host memory that a kernel touched, where emulated CUDA records them: see
// xfer_emulator_touched_by.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "xfer/event.h"

namespace xfer::tracer {

struct TouchedRange {
  std::uint64_t begin;
  std::uint64_t end;
  bool reads;
  bool writes;
  bool every_byte;          ///< else some of them
  bool plain = false;       ///< by a kernel that tells others nothing before it ends
  bool in_block = true;     ///< else where there is none, and may have been one
  std::uint64_t width = 0;  ///< of a row, of which every byte is meant; 0: there are no gaps
  std::uint64_t pitch = 0;  ///< bytes from row to row
};

/// kReads and kWrites, as it did.
constexpr std::uint16_t access_of(const TouchedRange& range) {
  return static_cast<std::uint16_t>((range.reads ? kReads : 0) | (range.writes ? kWrites : 0));
}

/// Puts its bytes into a kLaunchArg.
inline void set_bytes(Event& argument, const TouchedRange& range) {
  const std::uint64_t extent = range.end - range.begin;
  argument.address = range.begin;
  argument.bytes = extent;
  if (range.width == 0) return;
  argument.flags |= kStrided;
  argument.extent = extent;
  argument.pitch = range.pitch;
  argument.bytes = ((extent - range.width) / range.pitch + 1) * range.width;
}

/// All that the launch of this correlation touched, where that is known.
using TouchQuery =
    std::function<std::optional<std::vector<TouchedRange>>(std::uint64_t correlation)>;

}  // namespace xfer::tracer
