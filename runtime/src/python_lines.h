#pragma once
// Which source line a byte of Python bytecode belongs to: the line tables of code objects, as
// CPython documents them (Objects/lnotab_notes.txt, InternalDocs/code_objects.md). Pure. Any bytes
// are taken without fault.

#include <cstdint>
#include <string_view>

namespace xfer {

enum class PythonLines : std::uint8_t {
  kIncrements,  ///< 3.9: pairs of unsigned address and signed line increments
  kRanges,      ///< 3.10: the same pairs, the line first; -128 is no line
  kLocations,   ///< 3.11 and later: entries with columns (PEP 657)
};

/// The line of the instruction at byte `offset`. One without a line has that of the instruction
/// before it; a negative offset, before the first instruction, has `first`. Below 1: none.
std::int64_t python_line(PythonLines format, std::string_view table, std::int64_t first,
                         std::int64_t offset);

}  // namespace xfer
