#pragma once
// The calls that add a node, change a graph's node and change an executable graph's, which say the
// same of it, and those that ask for it.

#include "cudart/graph/graphs.h"
#include "cudart/graph/make_work.h"

#define XFER_LIST(...) __VA_ARGS__
#define XFER_NEW_NODE pGraphNode, graph, pDependencies, numDependencies
#define XFER_ADD_NODE(NAME, VERSION, TYPE, MAKE, PARAMETERS, ARGUMENTS)                          \
  cudaError_t NAME(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,                               \
                   const cudaGraphNode_t* pDependencies, size_t numDependencies,                 \
                   XFER_LIST PARAMETERS) {                                                       \
    return XFER_CALL(NAME##_##VERSION, XFER_NEW_NODE, XFER_LIST ARGUMENTS)                       \
        .run([&](Session& session) {                                                             \
          return add_made({XFER_NEW_NODE}, TYPE,                                                 \
                          [&](Work* work) { return MAKE(session, XFER_LIST ARGUMENTS, work); }); \
        });                                                                                      \
  }
#define XFER_SET_NODE(NAME, VERSION, TYPE, MAKE, PARAMETERS, ARGUMENTS)                       \
  cudaError_t NAME(cudaGraphNode_t node, XFER_LIST PARAMETERS) {                              \
    return XFER_CALL(NAME##_##VERSION, node, XFER_LIST ARGUMENTS).run([&](Session& session) { \
      return set_made(GraphNode::find(node), TYPE,                                            \
                      [&](Work* work) { return MAKE(session, XFER_LIST ARGUMENTS, work); });  \
    });                                                                                       \
  }
#define XFER_SET_EXECUTABLE_NODE(NAME, VERSION, TYPE, MAKE, PARAMETERS, ARGUMENTS)               \
  cudaError_t NAME(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, XFER_LIST PARAMETERS) {     \
    return XFER_CALL(NAME##_##VERSION, hGraphExec, node, XFER_LIST ARGUMENTS)                    \
        .run([&](Session& session) {                                                             \
          return set_made(node_of(hGraphExec, node), TYPE,                                       \
                          [&](Work* work) { return MAKE(session, XFER_LIST ARGUMENTS, work); }); \
        });                                                                                      \
  }
/// Returns the parameters of a node, from its `work`.
#define XFER_NODE_GET(NAME, VERSION, KIND, RESULT, ...)                       \
  cudaError_t NAME(cudaGraphNode_t node, RESULT* result) {                    \
    return XFER_CALL(NAME##_##VERSION, node, result).run([&](Session&) {      \
      const auto* const work = work_of<KIND>(node);                           \
      if (work == nullptr || result == nullptr) return cudaErrorInvalidValue; \
      *result = __VA_ARGS__;                                                  \
      return cudaSuccess;                                                     \
    });                                                                       \
  }
/// Where what the three have in common is a macro.
#define XFER_EXPANDED(CALL, ...) CALL(__VA_ARGS__)
