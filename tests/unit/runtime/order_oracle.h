#pragma once
// Calls that touch either side of a copy too early, worked out the slow and obvious way: each piece
// of work is a node of a graph, the edges are CUDA's promises about order, and a walk of the graph
// finds the certain order. Two devices, default, blocking and non-blocking streams that come and
// go, events, copies, fills, kernels, memory that is freed and made again in the order of streams.

#include <map>
#include <set>
#include <vector>

#include "xfer/engine.h"

namespace xfer::test {

struct OrderTrace {
  std::vector<Event> events;
  /// Call sites (each call has its own) that must be charged with the reason, and no others.
  std::map<Reason, std::set<std::uint32_t>> expected;
};
OrderTrace random_order_trace(std::uint64_t seed, std::size_t length);

}  // namespace xfer::test
