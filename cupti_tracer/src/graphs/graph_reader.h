#pragma once
// Asks CUDA for the nodes of a graph: the driver where it is loaded, else the runtime (which is all
// the emulated CUDA has for this). None of the questions makes the host wait for a device.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graphs/graph_node.h"

namespace xfer::tracer {

class GraphReader {
 public:
  /// Handles of the loaded libraries, or null.
  void find(void* driver, void* runtime);
  /// Answers as long as this reader lives.
  GraphQuery query() const;

 private:
  using Nodes = int (*)(void* graph, void** nodes, std::size_t* count);
  using Type = int (*)(void* node, int* type);
  using Child = int (*)(void* node, void** graph);
  using Parameters = int (*)(void* node, void* parameters);
  using ArgumentPlace = int (*)(const void* function, std::size_t index, std::size_t* offset,
                                std::size_t* bytes);
  using EmulatedArgument = bool (*)(const void* function, std::size_t index, std::size_t* offset,
                                    std::size_t* bytes);

  /// Gives use() the parameters of a node, in the struct of the library that is asked. False: it
  /// does not tell.
  template <typename OfDriver, typename OfRuntime, typename Use>
  bool ask(Parameters question, void* node, const Use& use) const;
  std::optional<std::vector<GraphNode>> nodes(void* graph) const;
  bool add_nodes(void* graph, std::vector<GraphNode>* nodes) const;
  GraphNode read(void* node, int type) const;
  void read_copy(void* node, GraphNode* result) const;
  void read_fill(void* node, GraphNode* result) const;
  void read_kernel(void* node, GraphNode* result) const;
  void read_allocation(void* node, GraphNode* result) const;
  /// Whether the kernel takes an argument of this index, and how large it is.
  bool argument(const LaunchCall& launch, std::size_t index, std::size_t* bytes) const;
  std::optional<std::vector<KernelWord>> words(const LaunchCall& launch) const;

  bool asks_driver_ = false;
  // One library's.
  Nodes nodes_ = nullptr;
  Type type_ = nullptr;
  Child child_ = nullptr;
  Parameters copy_ = nullptr;
  Parameters fill_ = nullptr;
  Parameters kernel_ = nullptr;
  Parameters allocation_ = nullptr;
  // The driver's.
  ArgumentPlace of_function_ = nullptr;
  ArgumentPlace of_kernel_ = nullptr;  // of a handle that no context has
  EmulatedArgument emulated_ = nullptr;
};

}  // namespace xfer::tracer
