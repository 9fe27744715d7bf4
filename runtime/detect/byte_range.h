#pragma once
// Bytes of memory: all from the first to the last, or rows of them with gaps between, or slices of
// such rows.

#include <cstdint>
#include <optional>

#include "xfer/event.h"

namespace xfer {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t width = 0;  ///< of a row; 0: there are no gaps
  std::uint64_t pitch = 0;  ///< bytes from row to row
  std::uint64_t slice = 0;  ///< bytes from a slice's first to its last; 0: there is one
  std::uint64_t slice_pitch = 0;

  bool has_gaps() const { return width != 0; }
  /// They share a byte. False, too, where that would take long to find out: ranges whose many rows
  /// or slices lie at different distances.
  bool overlaps(const ByteRange& other) const;
  /// All of the other's bytes are here. Never where there are gaps here.
  bool covers(const ByteRange& other) const {
    return !has_gaps() && begin <= other.begin && other.end <= end;
  }
  bool operator==(const ByteRange&) const = default;
};

/// The bytes that a copy, a fill or a kernel's argument touches at `address`, and a copy at
/// `source`. Nothing where the event does not say which bytes of the range these are.
std::optional<ByteRange> bytes_at_address(const Event& event);
std::optional<ByteRange> bytes_at_source(const Event& event);

}  // namespace xfer
