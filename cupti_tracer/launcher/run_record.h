#pragma once
// Writes into the traces of a run what xfertrace alone knows: how the program ended, and of a
// program without a trace, why there is none.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run_program.h"
#include "xfer/rules/run_info.h"

namespace xfer::launcher {

struct LaunchedRun {
  std::vector<std::string> command;
  Ended ended;
  std::uint64_t start_ns = 0;  ///< since 1970, UTC
  unsigned emulated = 0;       ///< devices; 0: not emulated
  bool enabled = true;         ///< XFERCHECK_OPTIONS lets the library trace
};

/// How the program ended, into its own trace; into those of processes that it started, which
/// program that was.
void record_end(const std::vector<std::filesystem::path>& traces, const LaunchedRun& run);

/// A trace without events that says why, in `folder`. Empty when it cannot be written.
std::filesystem::path record_untraced(const std::filesystem::path& folder, const LaunchedRun& run);

}  // namespace xfer::launcher
