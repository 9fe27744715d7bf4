#pragma once
// The graphs that programs own, and what the calls about nodes have in common.

#include <driver_types.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "cudart/api_call.h"
#include "cudart/graph/graph.h"

namespace xfer::emulator {

inline cudaGraph_t handle_of(Graph& graph) { return reinterpret_cast<cudaGraph_t>(&graph); }
inline cudaGraphNode_t handle_of(GraphNode& node) {
  return reinterpret_cast<cudaGraphNode_t>(&node);
}

/// The program's own until it destroys it.
cudaGraph_t give_to_program(const std::shared_ptr<Graph>& graph);
/// False: the program owns no such graph.
bool take_from_program(cudaGraph_t graph);

/// False: one is no node of the graph, or the graph is null.
bool find_nodes(const Graph* graph, const cudaGraphNode_t* handles, std::size_t count,
                std::vector<GraphNode*>* nodes);

/// Where a new node goes.
struct NewNode {
  cudaGraphNode_t* handle;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t count;
};

cudaError_t add_node(const NewNode& node, cudaGraphNodeType type, Work work);
/// Of the same type; a kernel's attributes stay.
void set_work(GraphNode& node, Work work);
/// The executable graph's version of a node; null: it has none.
GraphNode* node_of(cudaGraphExec_t executable, cudaGraphNode_t node);

/// make(work) -> cudaError_t says what the node does.
template <typename Make>
cudaError_t add_made(const NewNode& node, cudaGraphNodeType type, Make make) {
  Work work;
  if (const cudaError_t error = make(&work); error != cudaSuccess) return error;
  return add_node(node, type, std::move(work));
}
template <typename Make>
cudaError_t set_made(GraphNode* node, cudaGraphNodeType type, Make make) {
  if (node == nullptr || node->type != type) return cudaErrorInvalidValue;
  Work work;
  if (const cudaError_t error = make(&work); error != cudaSuccess) return error;
  set_work(*node, std::move(work));
  return cudaSuccess;
}

/// The node's work, if it is of this kind; else null.
template <typename Kind>
Kind* work_of(cudaGraphNode_t handle) {
  GraphNode* const node = GraphNode::find(handle);
  return node == nullptr ? nullptr : std::get_if<Kind>(&node->work);
}

}  // namespace xfer::emulator
