// Nodes that do other than kernels and copies: host functions, events, graphs, nothing.

#include <cuda_runtime_api.h>

#include "cudart/graph/node_calls.h"

using namespace xfer::emulator;

extern "C" {

#define XFER_HOST \
  cudaGraphNodeTypeHost, make_host, (const cudaHostNodeParams* pNodeParams), (pNodeParams)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddHostNode, v10000, XFER_HOST)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphHostNodeSetParams, v10000, XFER_HOST)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecHostNodeSetParams, v10020, XFER_HOST)

#define XFER_RECORD cudaGraphNodeTypeEventRecord, make_record, (cudaEvent_t event), (event)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddEventRecordNode, v11010, XFER_RECORD)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphEventRecordNodeSetEvent, v11010, XFER_RECORD)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecEventRecordNodeSetEvent, v11010, XFER_RECORD)

#define XFER_WAIT cudaGraphNodeTypeWaitEvent, make_wait, (cudaEvent_t event), (event)
XFER_EXPANDED(XFER_ADD_NODE, cudaGraphAddEventWaitNode, v11010, XFER_WAIT)
XFER_EXPANDED(XFER_SET_NODE, cudaGraphEventWaitNodeSetEvent, v11010, XFER_WAIT)
XFER_EXPANDED(XFER_SET_EXECUTABLE_NODE, cudaGraphExecEventWaitNodeSetEvent, v11010, XFER_WAIT)

XFER_ADD_NODE(cudaGraphAddChildGraphNode, v10000, cudaGraphNodeTypeGraph, make_child,
              (cudaGraph_t childGraph), (childGraph))

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t* pDependencies, size_t numDependencies) {
  return XFER_CALL(cudaGraphAddEmptyNode_v10000, XFER_NEW_NODE).run([&](Session&) {
    return add_node({XFER_NEW_NODE}, cudaGraphNodeTypeEmpty, Work());
  });
}

// The child's nodes are told by those of the graph that the node was first made of, and stay so.
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph) {
  return XFER_CALL(cudaGraphExecChildGraphNodeSetParams_v11010, hGraphExec, node, childGraph)
      .run([&](Session&) {
        GraphNode* const found = node_of(hGraphExec, node);
        const Graph* const graph = Graph::find(childGraph);
        const auto* const child = found == nullptr ? nullptr : std::get_if<ChildWork>(&found->work);
        if (child == nullptr || graph == nullptr) return cudaErrorInvalidValue;
        return become(*child->graph, *graph) == cudaGraphExecUpdateSuccess
                   ? cudaSuccess
                   : cudaErrorGraphExecUpdateFailure;
      });
}

XFER_NODE_GET(cudaGraphHostNodeGetParams, v10000, HostWork, cudaHostNodeParams, work->asked)
XFER_NODE_GET(cudaGraphEventRecordNodeGetEvent, v11010, RecordWork, cudaEvent_t, work->event)
XFER_NODE_GET(cudaGraphEventWaitNodeGetEvent, v11010, WaitWork, cudaEvent_t, work->event)
XFER_NODE_GET(cudaGraphChildGraphNodeGetGraph, v10000, ChildWork, cudaGraph_t,
              handle_of(*work->graph))
}
