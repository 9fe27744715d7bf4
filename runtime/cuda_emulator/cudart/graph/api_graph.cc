// Graphs: made, copied, asked about, destroyed.

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cudart/graph/graphs.h"

using namespace xfer::emulator;

namespace {

using Edge = std::pair<GraphNode*, GraphNode*>;

/// As all calls answer that give a list: how many, or as many as there is room for.
template <typename Item, typename Give>
cudaError_t answer(const std::vector<Item>& items, bool wants_items, size_t* count, Give give) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (wants_items) {
    for (size_t i = 0; i < *count; ++i) i < items.size() ? give(i, items[i]) : give(i, Item());
    *count = std::min(*count, items.size());
  } else {
    *count = items.size();
  }
  return cudaSuccess;
}

cudaError_t answer_nodes(const std::vector<GraphNode*>& found, cudaGraphNode_t* nodes,
                         cudaGraphEdgeData* data, size_t* count) {
  return answer(found, nodes != nullptr, count, [&](size_t i, GraphNode* node) {
    nodes[i] = reinterpret_cast<cudaGraphNode_t>(node);
    if (data != nullptr) data[i] = {};
  });
}

template <typename Wanted>
std::vector<GraphNode*> nodes_of(const Graph& graph, Wanted wanted) {
  std::vector<GraphNode*> found;
  for (const auto& node : graph.nodes)
    if (wanted(*node)) found.push_back(node.get());
  return found;
}

std::vector<Edge> edges_of_graph(const Graph& graph) {
  std::vector<Edge> edges;
  for (const auto& node : graph.nodes)
    for (GraphNode* const earlier : node->after) edges.emplace_back(earlier, node.get());
  return edges;
}

bool waits_for(const GraphNode& node, const GraphNode* earlier) {
  return std::find(node.after.begin(), node.after.end(), earlier) != node.after.end();
}

/// Adds the edges or takes them away: all or none.
cudaError_t change_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         size_t count, bool add) {
  const Graph* const graph = Graph::find(handle);
  std::vector<GraphNode*> earlier, later;
  if (!find_nodes(graph, from, count, &earlier) || !find_nodes(graph, to, count, &later))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i)
    if (earlier[i] == later[i] || waits_for(*later[i], earlier[i]) == add)
      return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (add)
      later[i]->after.push_back(earlier[i]);
    else
      std::erase(later[i]->after, earlier[i]);
  }
  return cudaSuccess;
}

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel: return "KERNEL";
    case cudaGraphNodeTypeMemcpy: return "MEMCPY";
    case cudaGraphNodeTypeMemset: return "MEMSET";
    case cudaGraphNodeTypeHost: return "HOST";
    case cudaGraphNodeTypeGraph: return "GRAPH";
    case cudaGraphNodeTypeWaitEvent: return "WAIT_EVENT";
    case cudaGraphNodeTypeEventRecord: return "EVENT_RECORD";
    case cudaGraphNodeTypeMemAlloc: return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree: return "MEM_FREE";
    default: return "EMPTY";
  }
}

cudaError_t print_dot(const Graph& graph, const char* path) {
  std::string text = "digraph dot {\n";
  for (const auto& node : graph.nodes)
    text += fmt::format("\"{}\" [label=\"{}\"];\n", fmt::ptr(node.get()), name_of(node->type));
  for (const auto& [from, to] : edges_of_graph(graph))
    text += fmt::format("\"{}\" -> \"{}\";\n", fmt::ptr(from), fmt::ptr(to));
  text += "}\n";
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) return cudaErrorOperatingSystem;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written ? cudaSuccess : cudaErrorOperatingSystem;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned int flags) {
  return XFER_CALL(cudaGraphCreate_v10000, pGraph, flags).run([&](Session&) {
    if (pGraph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *pGraph = give_to_program(std::make_shared<Graph>());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return XFER_CALL(cudaGraphDestroy_v10000, graph).run([&](Session&) {
    return take_from_program(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph) {
  return XFER_CALL(cudaGraphClone_v10000, pGraphClone, originalGraph).run([&](Session&) {
    const Graph* const graph = Graph::find(originalGraph);
    if (pGraphClone == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *pGraphClone = give_to_program(clone(*graph));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* pNode, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph) {
  return XFER_CALL(cudaGraphNodeFindInClone_v10000, pNode, originalNode, clonedGraph)
      .run([&](Session&) {
        const Graph* const graph = Graph::find(clonedGraph);
        if (pNode == nullptr || graph == nullptr || originalNode == nullptr)
          return cudaErrorInvalidValue;
        GraphNode* const found = find_clone(*graph, originalNode);
        if (found == nullptr) return cudaErrorInvalidValue;
        *pNode = handle_of(*found);
        return cudaSuccess;
      });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* pType) {
  return XFER_CALL(cudaGraphNodeGetType_v10000, node, pType).run([&](Session&) {
    const GraphNode* const found = GraphNode::find(node);
    if (found == nullptr || pType == nullptr) return cudaErrorInvalidValue;
    *pType = found->type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* numNodes) {
  return XFER_CALL(cudaGraphGetNodes_v10000, graph, nodes, numNodes).run([&](Session&) {
    const Graph* const found = Graph::find(graph);
    if (found == nullptr) return cudaErrorInvalidValue;
    return answer_nodes(nodes_of(*found, [](const GraphNode&) { return true; }), nodes, nullptr,
                        numNodes);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* pRootNodes,
                                  size_t* pNumRootNodes) {
  return XFER_CALL(cudaGraphGetRootNodes_v10000, graph, pRootNodes, pNumRootNodes)
      .run([&](Session&) {
        const Graph* const found = Graph::find(graph);
        if (found == nullptr) return cudaErrorInvalidValue;
        return answer_nodes(
            nodes_of(*found, [](const GraphNode& node) { return node.after.empty(); }), pRootNodes,
            nullptr, pNumRootNodes);
      });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edgeData, size_t* numEdges) {
  return XFER_CALL(cudaGraphGetEdges_v12030, graph, from, to, edgeData, numEdges)
      .run([&](Session&) {
        const Graph* const found = Graph::find(graph);
        if (found == nullptr || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
        return answer(edges_of_graph(*found), from != nullptr, numEdges,
                      [&](size_t i, const Edge& edge) {
                        from[i] = reinterpret_cast<cudaGraphNode_t>(edge.first);
                        to[i] = reinterpret_cast<cudaGraphNode_t>(edge.second);
                        if (edgeData != nullptr) edgeData[i] = {};
                      });
      });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies,
                                         cudaGraphEdgeData* edgeData, size_t* pNumDependencies) {
  return XFER_CALL(cudaGraphNodeGetDependencies_v12030, node, pDependencies, edgeData,
                   pNumDependencies)
      .run([&](Session&) {
        const GraphNode* const found = GraphNode::find(node);
        if (found == nullptr) return cudaErrorInvalidValue;
        return answer_nodes(found->after, pDependencies, edgeData, pNumDependencies);
      });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* pDependentNodes,
                                           cudaGraphEdgeData* edgeData,
                                           size_t* pNumDependentNodes) {
  return XFER_CALL(cudaGraphNodeGetDependentNodes_v12030, node, pDependentNodes, edgeData,
                   pNumDependentNodes)
      .run([&](Session&) {
        const GraphNode* const found = GraphNode::find(node);
        if (found == nullptr) return cudaErrorInvalidValue;
        return answer_nodes(
            nodes_of(*found->graph,
                     [&](const GraphNode& later) { return waits_for(later, found); }),
            pDependentNodes, edgeData, pNumDependentNodes);
      });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edgeData,
                                     size_t numDependencies) {
  return XFER_CALL(cudaGraphAddDependencies_v12030, graph, from, to, edgeData, numDependencies)
      .run([&](Session&) { return change_edges(graph, from, to, numDependencies, true); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edgeData, size_t numDependencies) {
  return XFER_CALL(cudaGraphRemoveDependencies_v12030, graph, from, to, edgeData, numDependencies)
      .run([&](Session&) { return change_edges(graph, from, to, numDependencies, false); });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return XFER_CALL(cudaGraphDestroyNode_v10000, node).run([&](Session&) {
    const GraphNode* const found = GraphNode::find(node);
    if (found == nullptr) return cudaErrorInvalidValue;
    found->graph->remove(*found);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags) {
  return XFER_CALL(cudaGraphDebugDotPrint_v11030, graph, path, flags).run([&](Session&) {
    const Graph* const found = Graph::find(graph);
    if (found == nullptr || path == nullptr) return cudaErrorInvalidValue;
    return print_dot(*found, path);
  });
}
}
