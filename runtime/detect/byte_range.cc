#include "detect/byte_range.h"

#include <algorithm>

namespace xfer {
namespace {

constexpr std::uint64_t kMostRows = 1024;  // that are looked at one by one
constexpr std::uint64_t kMostSlices = 64;

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

bool slices_overlap(const ByteRange& slices, const ByteRange& other) {
  const std::uint64_t first_end = slices.begin + slices.slice;
  std::uint64_t at = slices.begin;
  if (other.begin >= first_end)
    at += ((other.begin - first_end) / slices.slice_pitch + 1) * slices.slice_pitch;
  const std::uint64_t end = std::min(slices.end, other.end);
  for (std::uint64_t left = kMostSlices; at < end && left != 0; at += slices.slice_pitch, --left)
    if (ByteRange{at, at + slices.slice, slices.width, slices.pitch}.overlaps(other)) return true;
  return false;
}

/// How many there are of what lies `pitch` apart; 0: there is one.
std::uint64_t count_of(std::uint64_t extent, std::uint64_t pitch) {
  return pitch == 0 ? 1 : (extent - 1) / pitch + 1;
}

std::optional<ByteRange> range_of(std::uint64_t begin, std::uint64_t bytes, std::uint64_t extent,
                                  std::uint64_t pitch, std::uint64_t slice_pitch) {
  if (extent == bytes) return ByteRange{begin, begin + bytes};
  if (pitch == 0 || extent < bytes || bytes == 0) return std::nullopt;
  const std::uint64_t slices = count_of(extent, slice_pitch);
  const std::uint64_t slice = extent - (slices - 1) * slice_pitch;
  const std::uint64_t rows = count_of(slice, pitch);
  const std::uint64_t width = slice - (rows - 1) * pitch;
  const bool fits =
      width < pitch && width * rows * slices == bytes && (slices == 1 || slice <= slice_pitch);
  if (!fits) return std::nullopt;
  ByteRange range{begin, begin + extent, width, pitch};
  if (slices > 1) {
    range.slice = slice;
    range.slice_pitch = slice_pitch;
  }
  return range;
}

}  // namespace

bool ByteRange::overlaps(const ByteRange& other) const {
  if (begin >= other.end || other.begin >= end) return false;
  if (slice != 0) return slices_overlap(*this, other);
  if (other.slice != 0) return slices_overlap(other, *this);
  if (!has_gaps()) return !other.has_gaps() || has_byte_in(other, begin, end);
  if (!other.has_gaps()) return has_byte_in(*this, other.begin, other.end);
  return pitch >= other.pitch ? rows_overlap(*this, other) : rows_overlap(other, *this);
}

std::optional<ByteRange> bytes_at_address(const Event& event) {
  return range_of(event.address, event.bytes, extent_at_address(event), event.pitch,
                  event.slice_pitch);
}

std::optional<ByteRange> bytes_at_source(const Event& event) {
  return range_of(event.source, event.bytes, extent_at_source(event), event.source_pitch,
                  event.source_slice_pitch);
}

}  // namespace xfer
