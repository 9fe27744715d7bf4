#pragma once
// The copies of a part of a run, by the line that made them: what a test says when it counted more
// of them than it allows.
//
// Cost: one pass over the trace; memory by call sites.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "xfer/rules/finding.h"
#include "xfer/tally.h"
#include "xfer/window.h"

namespace xfer {

struct CopiesAt {
  Direction direction{};
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  Location place;  ///< the program's own line, else the innermost that is known
};

/// Most bytes first. Throws TraceError. `project_root`: see Symbolizer.
std::vector<CopiesAt> list_copies(const std::filesystem::path& trace, const Window& window,
                                  const std::filesystem::path& project_root = {});

}  // namespace xfer
