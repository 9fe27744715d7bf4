#pragma once
// Bytes of memory: all from the first to the last, or rows of them with gaps between.

#include <cstdint>
#include <optional>

#include "xfer/event.h"

namespace xfer {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t width = 0;  ///< of a row; 0: there are no gaps
  std::uint64_t pitch = 0;  ///< bytes from row to row

  bool has_gaps() const { return width != 0; }
  std::uint64_t rows() const { return has_gaps() ? (end - begin - width) / pitch + 1 : 1; }
  /// They share a byte. False, too, where that would take long to find out: ranges whose many rows
  /// lie at different distances.
  bool overlaps(const ByteRange& other) const;
  /// All of the other's bytes are here. Never where there are gaps here.
  bool covers(const ByteRange& other) const {
    return !has_gaps() && begin <= other.begin && other.end <= end;
  }
  bool operator==(const ByteRange&) const = default;
};

/// What a copy, a fill or a kernel's argument touches at `address`, and a copy at `source`. Nothing
/// where the event does not say which bytes of the range these are.
std::optional<ByteRange> bytes_at_address(const Event& event);
std::optional<ByteRange> bytes_at_source(const Event& event);

}  // namespace xfer
