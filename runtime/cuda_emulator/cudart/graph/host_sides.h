#pragma once
// The host memory that a launch of a graph copies from and to.

#include <optional>
#include <vector>

#include "cudart/graph/graph.h"
#include "machine/machine.h"

namespace xfer::emulator {

/// Of the graph's enabled nodes and its child graphs', as far as devices know the memory. Nothing:
/// host code runs in it, which may tell the program how far it has come. With the machine's lock
/// held.
std::optional<std::vector<WatchedBytes>> host_sides(const Machine& machine, const Graph& graph);

}  // namespace xfer::emulator
