#pragma once
// The source that a line of PTX was made of, where nvcc -lineinfo says it.

#include <optional>
#include <string_view>

namespace xfer::ptx {

struct SourceLine {
  std::string_view file;  ///< of the text
  unsigned line = 0;
};

/// Nothing: the text does not say it. Cost: linear in the text.
std::optional<SourceLine> source_of_line(std::string_view text, unsigned line);

}  // namespace xfer::ptx
