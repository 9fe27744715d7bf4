#include "cudart/graph/host_sides.h"

namespace xfer::emulator {
namespace {

/// Memory of the host that devices know.
bool is_host(const Machine& machine, const void* address) {
  const Place place = machine.locate(address);
  return place.device < 0 && place.kind != MemoryKind::kPageable && place.begin != 0;
}

WatchedBytes side(const Copy& copy, const void* address, std::size_t pitch, bool device_writes) {
  WatchedBytes bytes;
  bytes.begin = reinterpret_cast<std::uintptr_t>(address);
  bytes.width = copy.width;
  bytes.pitch = copy.height > 1 ? pitch : copy.width;
  bytes.rows = copy.height;
  bytes.device_writes = device_writes;
  return bytes;
}

bool add(const Machine& machine, const Graph& graph, std::vector<WatchedBytes>* sides) {
  for (const auto& node : graph.nodes) {
    if (!node->enabled) continue;
    if (std::holds_alternative<HostWork>(node->work)) return false;
    if (const auto* const child = std::get_if<ChildWork>(&node->work);
        child != nullptr && !add(machine, *child->graph, sides))
      return false;
    const auto* const work = std::get_if<CopyWork>(&node->work);
    if (work == nullptr || work->copy.depth != 1) continue;
    const Copy& copy = work->copy;
    if (!copy.from_array && is_host(machine, copy.source))
      sides->push_back(side(copy, copy.source, copy.source_pitch, false));
    if (!copy.to_array && is_host(machine, copy.destination))
      sides->push_back(side(copy, copy.destination, copy.destination_pitch, true));
  }
  return true;
}

}  // namespace

std::optional<std::vector<WatchedBytes>> host_sides(const Machine& machine, const Graph& graph) {
  std::vector<WatchedBytes> sides;
  if (!add(machine, graph, &sides)) return std::nullopt;
  return sides;
}

}  // namespace xfer::emulator
