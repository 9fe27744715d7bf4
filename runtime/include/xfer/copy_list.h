#pragma once
// The copies of a part of a run, or the calls that made the host wait, by the line that made them:
// what a test says when it counted more of them than it allows.
//
// Cost: one pass over the trace; memory by call sites.

#include <cstdint>
#include <filesystem>
#include <string>
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

struct WaitsAt {
  std::string what;  ///< "sync", "free", or a copy's way
  std::uint64_t count = 0;
  Location place;
};

/// Calls as is_host_wait tells them, most often made first. Throws TraceError.
std::vector<WaitsAt> list_host_waits(const std::filesystem::path& trace, const Window& window,
                                     const std::filesystem::path& project_root = {});

}  // namespace xfer
