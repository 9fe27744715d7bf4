#pragma once
// What emulated CUDA knows of the graphs that a program launches.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "in_flight.h"

namespace xfer::tracer {

/// An address that a node names.
struct GraphPlace {
  std::uint64_t address = 0;
  bool used = false;  ///< by a copy or a fill; else a kernel is given it
};

/// Empty functions: nobody can tell.
struct GraphQuery {
  /// The host memory that a launch copies from and to; nothing where that is not known. Without
  /// ids.
  std::function<std::optional<std::vector<WatchedBytes>>(std::uint64_t graph)> sides;
  std::function<std::vector<GraphPlace>(std::uint64_t graph)> places;
};

}  // namespace xfer::tracer
