#include "cudart/graph/graphs.h"

#include <unordered_map>
#include <utility>

namespace xfer::emulator {
namespace {

std::unordered_map<const void*, std::shared_ptr<Graph>>& owned_by_program() {
  static auto* const all = new std::unordered_map<const void*, std::shared_ptr<Graph>>;
  return *all;
}

}  // namespace

cudaGraph_t give_to_program(const std::shared_ptr<Graph>& graph) {
  owned_by_program().emplace(graph.get(), graph);
  return handle_of(*graph);
}

bool take_from_program(cudaGraph_t graph) {
  const auto found = owned_by_program().find(graph);
  if (found == owned_by_program().end()) return false;
  // Events that were recorded while it was captured may still know it.
  found->second->user_objects.clear();
  owned_by_program().erase(found);
  return true;
}

bool find_nodes(const Graph* graph, const cudaGraphNode_t* handles, std::size_t count,
                std::vector<GraphNode*>* nodes) {
  if (graph == nullptr || (handles == nullptr && count != 0)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* const node = GraphNode::find(handles[i]);
    if (node == nullptr || node->graph != graph) return false;
    nodes->push_back(node);
  }
  return true;
}

cudaError_t add_node(const NewNode& node, cudaGraphNodeType type, Work work) {
  Graph* const graph = Graph::find(node.graph);
  std::vector<GraphNode*> after;
  if (node.handle == nullptr || !find_nodes(graph, node.after, node.count, &after))
    return cudaErrorInvalidValue;
  *node.handle = handle_of(graph->add(type, std::move(work), std::move(after)));
  return cudaSuccess;
}

void set_work(GraphNode& node, Work work) {
  const auto* const before = std::get_if<KernelWork>(&node.work);
  auto* const after = std::get_if<KernelWork>(&work);
  if (before != nullptr && after != nullptr) {
    after->shape.cooperative = before->shape.cooperative;
    after->attributes = before->attributes;
  }
  node.work = std::move(work);
}

GraphNode* node_of(cudaGraphExec_t executable, cudaGraphNode_t node) {
  const ExecutableGraph* const found = ExecutableGraph::find(executable);
  return found == nullptr || node == nullptr ? nullptr : find_clone(*found->graph, node);
}

}  // namespace xfer::emulator
