#pragma once
// The graphs that the program can launch, with what their nodes do as of their making and the calls
// that changed them since, and what a launch does to memory that the program knows.
//
// Thread-safe. Cost: O(nodes) where a graph is made or its launch is the first after a change of it
// or of any memory's place; O(1) else.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graphs/graph_node.h"
#include "memory_map.h"

namespace xfer::tracer {

/// The effects of a graph's launch.
struct GraphLaunch {
  struct HostSide {
    CopyCall transfer;
    bool to_host;  ///< or a fill of host memory
    /// Of a copy to the device: nothing else in the graph may write to its source, and nothing in
    /// it tells the host before its end.
    bool keeps_source;
  };
  std::vector<HostSide> sides;  ///< of copies and fills, in pinned and managed memory
  struct DeviceSide {
    CopyCall transfer;
    bool writes;  ///< to its destination; else it reads its source
  };
  std::vector<DeviceSide> on_devices;  ///< of copies and fills
  struct Gone {
    std::uint64_t address;
    bool used;  ///< by a copy or a fill; else a kernel is given it
    Space now;  ///< what is there: other memory, made since; kUnknown: nothing
  };
  std::vector<Gone> gone;  ///< memory that nodes name, and that was freed
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::vector<Range> host_writes;  ///< host memory that it may write to
  /// host_writes are all, and no node tells the host how far the graph has come.
  bool is_plain = false;
};

class ExecutableGraphs {
 public:
  /// `space_of`: of an address that no seen allocation covers.
  ExecutableGraphs(const MemoryMap& memory, GraphQuery query,
                   std::function<Space(std::uint64_t address)> space_of)
      : memory_(memory), query_(std::move(query)), space_of_(std::move(space_of)) {}

  /// A call that makes, changes or ends a graph has succeeded.
  void see(const ApiCall& call);
  /// Null: nobody knows.
  std::shared_ptr<const GraphLaunch> launch(std::uint64_t graph);

 private:
  struct Known {
    std::vector<GraphNode> nodes;
    std::unordered_map<std::uint64_t, std::size_t> places;  ///< of the nodes, by id
    std::map<std::uint64_t, std::uint64_t> serials;  ///< of the memory, when nodes named places
    std::shared_ptr<const GraphLaunch> launch;
    std::uint64_t as_of = 0;  ///< the memory map's changes when `launch` was made
  };
  void read(std::uint64_t graph, std::uint64_t from);
  void set(const ApiCall& call);
  void forget(std::uint64_t graph);
  /// Null, and the graph is not known from now on: it was updated from another graph.
  GraphNode* find(std::uint64_t graph, std::uint64_t node);
  void note_memory(const GraphNode& node, Known* known) const;

  const MemoryMap& memory_;
  const GraphQuery query_;
  const std::function<Space(std::uint64_t)> space_of_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Known> known_;
};

}  // namespace xfer::tracer
