#pragma once
// Graphs: what their nodes do and which wait for which. Those captured from streams and those that
// a program builds are the same; a launch makes the nodes' calls one after the other on one stream,
// in one of the orders that the graph allows. With the machine's lock held.

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "cudart/graph/graph_memory.h"
#include "cudart/graph/handled.h"
#include "cudart/graph/raw_arguments.h"
#include "cudart/graph/user_object.h"
#include "cudart/launch.h"
#include "cudart/transfer.h"

namespace xfer::emulator {

struct Graph;

struct KernelWork {
  const void* function = nullptr;
  LaunchShape shape;
  std::shared_ptr<const RawArguments> arguments;
  std::uint64_t duration_ns = 0;  ///< 0: as its shape says
  std::map<int, cudaLaunchAttributeValue> attributes;
};
struct CopyWork {
  Copy copy;
  cudaMemcpy3DParms asked{};  ///< as the program would say it
};
struct HostWork {
  std::function<void()> run;
  cudaHostNodeParams asked{};
};
struct RecordWork {
  cudaEvent_t event;
};
struct WaitWork {
  cudaEvent_t event;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct AllocateWork {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
  void* pointer;
};

/// A node's operation, which each launch repeats. Nothing: an empty node, or no bytes to copy.
using Work = std::variant<std::monostate, KernelWork, CopyWork, Fill, HostWork, RecordWork,
                          WaitWork, ChildWork, AllocateWork, FreeWork>;

/// Its address is what a cudaGraphNode_t points to.
struct GraphNode : Handled<GraphNode> {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work;
  std::vector<GraphNode*> after;  ///< the nodes that it waits for
  Graph* graph = nullptr;
  const GraphNode* original = nullptr;  ///< that it was cloned from, which may be gone
  bool enabled = true;
};

/// Its address is what a cudaGraph_t points to.
struct Graph : Handled<Graph>, std::enable_shared_from_this<Graph> {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<std::shared_ptr<UserObject>> user_objects;  ///< one for each reference

  GraphNode& add(cudaGraphNodeType type, Work work, std::vector<GraphNode*> after);
  /// With the edges from and to it.
  void remove(const GraphNode& node);
};

/// Its address is what a cudaGraphExec_t points to.
struct ExecutableGraph : Handled<ExecutableGraph> {
  std::shared_ptr<Graph> graph;  ///< a clone, in an order to run it
  std::weak_ptr<const Graph> of;
  unsigned long long flags = 0;
};

cudaGraphNodeType type_of(const Work& work);
std::shared_ptr<Graph> clone(const Graph& graph);
/// Some of its own nodes, or of its child graphs', allocate memory or free it.
bool manages_memory(const Graph& graph);
/// Sorts the nodes so that none comes before one that it waits for. False: they wait in a circle.
bool put_in_order(Graph& graph);
/// The node that was cloned from this one, child graphs included; null: there is none.
GraphNode* find_clone(const Graph& graph, const void* original);
/// Whether both have the same nodes and edges, whatever the nodes do: then `graph` does what
/// `other` does from here on.
cudaGraphExecUpdateResult become(Graph& graph, const Graph& other);

/// Queues the work of all nodes.
cudaError_t queue_graph(Session& session, const ExecutableGraph& executable, Stream& stream);

}  // namespace xfer::emulator
