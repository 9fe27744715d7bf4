#include "detect/byte_range.h"

#include <algorithm>

namespace xfer {
namespace {

constexpr std::uint64_t kMostRows = 1024;  // that are looked at one by one

/// The first row that ends behind the address.
std::uint64_t row_behind(const ByteRange& range, std::uint64_t address) {
  const std::uint64_t first_end = range.begin + range.width;
  return address < first_end ? 0 : (address - first_end) / range.pitch + 1;
}

/// Whether a byte of [begin, end) is in a row.
bool has_byte_in(const ByteRange& range, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t row = range.begin + row_behind(range, begin) * range.pitch;
  return row < std::min(end, range.end);
}

bool rows_overlap(const ByteRange& looked_at, const ByteRange& other) {
  // At the same distance, each row lies among the other's as the one before it does.
  std::uint64_t left = looked_at.pitch == other.pitch ? 1 : kMostRows;
  const std::uint64_t end = std::min(looked_at.end, other.end);
  std::uint64_t row = looked_at.begin + row_behind(looked_at, other.begin) * looked_at.pitch;
  for (; row < end && left != 0; row += looked_at.pitch, --left)
    if (has_byte_in(other, row, row + looked_at.width)) return true;
  return false;
}

std::optional<ByteRange> range_of(std::uint64_t begin, std::uint64_t bytes, std::uint64_t extent,
                                  std::uint64_t pitch) {
  if (extent == bytes) return ByteRange{begin, begin + bytes};
  if (pitch == 0 || extent < bytes || bytes == 0) return std::nullopt;
  const std::uint64_t rows = (extent - 1) / pitch + 1;
  const std::uint64_t width = bytes / rows;
  const bool fits = width * rows == bytes && width < pitch && (rows - 1) * pitch + width == extent;
  return fits ? std::optional(ByteRange{begin, begin + extent, width, pitch}) : std::nullopt;
}

}  // namespace

bool ByteRange::overlaps(const ByteRange& other) const {
  if (begin >= other.end || other.begin >= end) return false;
  if (!has_gaps()) return !other.has_gaps() || has_byte_in(other, begin, end);
  if (!other.has_gaps()) return has_byte_in(*this, other.begin, other.end);
  return pitch >= other.pitch ? rows_overlap(*this, other) : rows_overlap(other, *this);
}

std::optional<ByteRange> bytes_at_address(const Event& event) {
  const bool strided = (event.flags & kStrided) != 0;
  return range_of(event.address, event.bytes, strided ? event.extent : event.bytes, event.pitch);
}

std::optional<ByteRange> bytes_at_source(const Event& event) {
  const bool strided = (event.flags & kStrided) != 0;
  return range_of(event.source, event.bytes, strided ? event.source_extent : event.bytes,
                  event.source_pitch);
}

}  // namespace xfer
