#include "python_lines.h"

#include <cstddef>

namespace xfer {
namespace {

std::uint8_t byte(std::string_view table, std::size_t at) {
  return static_cast<std::uint8_t>(table[at]);
}

std::int64_t of_increments(std::string_view table, std::int64_t line, std::int64_t offset) {
  std::int64_t address = 0;
  for (std::size_t at = 0; at + 1 < table.size(); at += 2) {
    address += byte(table, at);
    if (address > offset) break;
    line += static_cast<std::int8_t>(table[at + 1]);
  }
  return line;
}

std::int64_t of_ranges(std::string_view table, std::int64_t line, std::int64_t offset) {
  constexpr std::int8_t kNoLine = -128;
  std::int64_t end = 0;
  for (std::size_t at = 0; at + 1 < table.size() && end <= offset; at += 2) {
    end += byte(table, at);
    if (const auto delta = static_cast<std::int8_t>(table[at + 1]); delta != kNoLine) line += delta;
  }
  return line;
}

// Chunks of six bits, the lowest first; bit 6: more follow. The lowest bit of the whole is the
// sign.
std::int64_t signed_number(std::string_view table, std::size_t at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at < table.size() && shift < 60; ++at, shift += 6) {
    value |= std::uint64_t{byte(table, at) & 0x3fu} << shift;
    if ((byte(table, at) & 0x40) == 0) break;
  }
  const auto magnitude = static_cast<std::int64_t>(value >> 1);
  return (value & 1) != 0 ? -magnitude : magnitude;
}

// The first byte of an entry has its highest bit set, the others do not: 1, four bits of kind,
// three of length in code units less one.
std::int64_t of_locations(std::string_view table, std::int64_t line, std::int64_t offset) {
  enum Kind { kOneLine = 10, kNoColumns = 13, kLong = 14 };
  constexpr std::int64_t kUnitBytes = 2;
  std::int64_t end = 0;
  for (std::size_t at = 0; at < table.size() && end <= offset;) {
    const unsigned kind = byte(table, at) >> 3 & 15u;
    end += ((byte(table, at) & 7) + 1) * kUnitBytes;
    ++at;
    if (kind >= kOneLine && kind < kNoColumns)
      line += kind - kOneLine;
    else if (kind == kNoColumns || kind == kLong)
      line += signed_number(table, at);
    while (at < table.size() && byte(table, at) < 0x80) ++at;
  }
  return line;
}

}  // namespace

std::int64_t python_line(PythonLines format, std::string_view table, std::int64_t first,
                         std::int64_t offset) {
  if (offset < 0) return first;
  switch (format) {
    case PythonLines::kIncrements: return of_increments(table, first, offset);
    case PythonLines::kRanges: return of_ranges(table, first, offset);
    case PythonLines::kLocations: return of_locations(table, first, offset);
  }
  return first;
}

}  // namespace xfer
