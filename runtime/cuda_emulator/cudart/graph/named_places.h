#pragma once
// The memory that the nodes of a graph name: addresses that are used again by each launch, whatever
// has become of the memory since.

#include <cstdint>
#include <vector>

#include "cudart/graph/graph.h"
#include "machine/machine.h"

namespace xfer::emulator {

struct NamedPlace {
  std::uintptr_t address = 0;
  bool used = false;  ///< by a copy or a fill; else a kernel is given it, which may use it
};

/// Those of the nodes that are enabled, and of child graphs'.
std::vector<NamedPlace> named_places(Machine& machine, const Graph& graph);

}  // namespace xfer::emulator
