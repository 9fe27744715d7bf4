// Nodes of all types by one call, which says the type.

#include <cuda_runtime_api.h>

#include "cudart/graph/node_calls.h"

using namespace xfer::emulator;

namespace {

cudaError_t make_any(Session& session, cudaGraphNodeParams* asked, Work* work) {
  switch (asked->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& kernel = asked->kernel;
      const cudaKernelNodeParams same{kernel.func,           kernel.gridDim,      kernel.blockDim,
                                      kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
      return make_kernel(session, &same, work);
    }
    case cudaGraphNodeTypeMemcpy: return make_copy(session, &asked->memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset: {
      const auto& fill = asked->memset;
      const cudaMemsetParams same{fill.dst,         fill.pitch, fill.value,
                                  fill.elementSize, fill.width, fill.height};
      return make_fill(session, &same, work);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams same{asked->host.fn, asked->host.userData};
      return make_host(session, &same, work);
    }
    case cudaGraphNodeTypeGraph: return make_child(session, asked->graph.graph, work);
    case cudaGraphNodeTypeEmpty: return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent: return make_wait(session, asked->eventWait.event, work);
    case cudaGraphNodeTypeEventRecord: return make_record(session, asked->eventRecord.event, work);
    case cudaGraphNodeTypeMemAlloc:
      return make_allocation(session, asked->alloc.poolProps, asked->alloc.bytesize,
                             &asked->alloc.dptr, work);
    case cudaGraphNodeTypeMemFree: return make_free(session, asked->free.dptr, work);
    case cudaGraphNodeTypeConditional:
      return xfer_emulator_not_supported("cudaGraphAddNode for a conditional node");
    default: return xfer_emulator_not_supported("cudaGraphAddNode for a semaphore");
  }
}

/// Memory stays where it was allocated.
cudaError_t set_any(Session& session, GraphNode* node, cudaGraphNodeParams* asked) {
  if (asked == nullptr || asked->type == cudaGraphNodeTypeMemAlloc) return cudaErrorInvalidValue;
  return set_made(node, asked->type, [&](Work* work) { return make_any(session, asked, work); });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t* pDependencies,
                             const cudaGraphEdgeData* dependencyData, size_t numDependencies,
                             cudaGraphNodeParams* nodeParams) {
  return XFER_CALL(cudaGraphAddNode_v12030, pGraphNode, graph, pDependencies, dependencyData,
                   numDependencies, nodeParams)
      .run([&](Session& session) {
        if (nodeParams == nullptr) return cudaErrorInvalidValue;
        return add_made({XFER_NEW_NODE}, nodeParams->type,
                        [&](Work* work) { return make_any(session, nodeParams, work); });
      });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* nodeParams) {
  return XFER_CALL(cudaGraphNodeSetParams_v12020, node, nodeParams).run([&](Session& session) {
    return set_any(session, GraphNode::find(node), nodeParams);
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* nodeParams) {
  return XFER_CALL(cudaGraphExecNodeSetParams_v12020, graphExec, node, nodeParams)
      .run(
          [&](Session& session) { return set_any(session, node_of(graphExec, node), nodeParams); });
}
}
