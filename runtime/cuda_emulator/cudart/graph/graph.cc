#include "cudart/graph/graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace xfer::emulator {
namespace {

/// Moves a node behind those that it waits for.
class Order {
 public:
  bool visit(GraphNode* node) {
    const auto [place, is_new] = finished_.emplace(node, false);
    if (!is_new) return place->second;
    for (GraphNode* const earlier : node->after)
      if (!visit(earlier)) return false;
    finished_[node] = true;
    nodes.push_back(node);
    return true;
  }

  std::vector<GraphNode*> nodes;

 private:
  std::unordered_map<const GraphNode*, bool> finished_;
};

std::unordered_map<const GraphNode*, std::size_t> numbers_of(const Graph& graph) {
  std::unordered_map<const GraphNode*, std::size_t> numbers;
  for (const auto& node : graph.nodes) numbers.emplace(node.get(), numbers.size());
  return numbers;
}

/// The edges to each node, as numbers of nodes.
std::vector<std::vector<std::size_t>> edges_of(const Graph& graph) {
  const auto numbers = numbers_of(graph);
  std::vector<std::vector<std::size_t>> edges;
  for (const auto& node : graph.nodes) {
    auto& to = edges.emplace_back();
    for (const GraphNode* const earlier : node->after) to.push_back(numbers.at(earlier));
    std::sort(to.begin(), to.end());
  }
  return edges;
}

Work clone_of(const Work& work) {
  if (const auto* const child = std::get_if<ChildWork>(&work))
    return ChildWork{clone(*child->graph)};
  return work;
}

}  // namespace

GraphNode& Graph::add(cudaGraphNodeType type, Work work, std::vector<GraphNode*> after) {
  auto& node = *nodes.emplace_back(std::make_unique<GraphNode>());
  node.type = type;
  node.work = std::move(work);
  node.after = std::move(after);
  node.graph = this;
  return node;
}

void Graph::remove(const GraphNode& node) {
  for (const auto& other : nodes) std::erase(other->after, &node);
  std::erase_if(nodes, [&](const auto& entry) { return entry.get() == &node; });
}

cudaGraphNodeType type_of(const Work& work) {
  constexpr cudaGraphNodeType kTypes[] = {cudaGraphNodeTypeEmpty,     cudaGraphNodeTypeKernel,
                                          cudaGraphNodeTypeMemcpy,    cudaGraphNodeTypeMemset,
                                          cudaGraphNodeTypeHost,      cudaGraphNodeTypeEventRecord,
                                          cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeGraph,
                                          cudaGraphNodeTypeMemAlloc,  cudaGraphNodeTypeMemFree};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  return kTypes[work.index()];
}

bool manages_memory(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const std::unique_ptr<GraphNode>& node) {
    if (const auto* const child = std::get_if<ChildWork>(&node->work))
      return manages_memory(*child->graph);
    return std::holds_alternative<AllocateWork>(node->work) ||
           std::holds_alternative<FreeWork>(node->work);
  });
}

std::shared_ptr<Graph> clone(const Graph& graph) {
  auto copy = std::make_shared<Graph>();
  copy->user_objects = graph.user_objects;
  const auto numbers = numbers_of(graph);
  for (const auto& node : graph.nodes) {
    GraphNode& made = copy->add(node->type, clone_of(node->work), {});
    made.original = node.get();
    made.enabled = node->enabled;
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (const GraphNode* const earlier : graph.nodes[i]->after)
      copy->nodes[i]->after.push_back(copy->nodes[numbers.at(earlier)].get());
  return copy;
}

bool put_in_order(Graph& graph) {
  Order order;
  for (const auto& node : graph.nodes) {
    if (!order.visit(node.get())) return false;
    const auto* const child = std::get_if<ChildWork>(&node->work);
    if (child != nullptr && !put_in_order(*child->graph)) return false;
  }
  for (std::size_t i = 0; i < order.nodes.size(); ++i) {
    graph.nodes[i].release();
    graph.nodes[i].reset(order.nodes[i]);
  }
  return true;
}

GraphNode* find_clone(const Graph& graph, const void* original) {
  for (const auto& node : graph.nodes) {
    if (node->original == original) return node.get();
    const auto* const child = std::get_if<ChildWork>(&node->work);
    if (child == nullptr) continue;
    if (GraphNode* const found = find_clone(*child->graph, original)) return found;
  }
  return nullptr;
}

cudaGraphExecUpdateResult become(Graph& graph, const Graph& other) {
  const auto ordered = clone(other);
  if (graph.nodes.size() != ordered->nodes.size() || !put_in_order(*ordered) ||
      edges_of(graph) != edges_of(*ordered))
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i]->type != ordered->nodes[i]->type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    GraphNode& node = *graph.nodes[i];
    auto* const child = std::get_if<ChildWork>(&node.work);
    if (child == nullptr) {
      node.work = std::move(ordered->nodes[i]->work);
      continue;
    }
    const auto result = become(*child->graph, *std::get<ChildWork>(ordered->nodes[i]->work).graph);
    if (result != cudaGraphExecUpdateSuccess) return result;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace xfer::emulator
