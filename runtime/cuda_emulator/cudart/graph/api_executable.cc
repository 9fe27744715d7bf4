// Executable graphs: made of graphs, updated, launched.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cudart/capture.h"
#include "cudart/graph/graphs.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

/// With the machine's lock held.
std::unordered_map<const void*, std::unique_ptr<ExecutableGraph>>& executables() {
  static auto* const all = new std::unordered_map<const void*, std::unique_ptr<ExecutableGraph>>;
  return *all;
}

cudaError_t instantiate(Session& session, cudaGraphExec_t* handle, cudaGraph_t from,
                        unsigned long long flags) {
  constexpr unsigned long long kKnown =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  const Graph* const graph = Graph::find(from);
  if (handle == nullptr || graph == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return xfer_emulator_not_supported("cudaGraphInstantiate for launches from a device");
  // Its nodes' addresses are one launch's at a time.
  if (manages_memory(*graph) && std::ranges::any_of(executables(), [&](const auto& other) {
        return other.second->of.lock().get() == graph;
      }))
    return cudaErrorNotSupported;
  auto made = std::make_unique<ExecutableGraph>();
  made->graph = clone(*graph);
  made->of = graph->weak_from_this();
  made->flags = flags;
  if (!put_in_order(*made->graph)) return cudaErrorInvalidValue;
  session.machine.spend(cost::kCallNs * (graph->nodes.size() + 1));
  *handle = reinterpret_cast<cudaGraphExec_t>(made.get());
  executables().emplace(made.get(), std::move(made));
  return cudaSuccess;
}

cudaError_t instantiate(Session& session, cudaGraphExec_t* handle, cudaGraph_t from,
                        cudaGraphInstantiateParams* asked) {
  if (asked == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = instantiate(session, handle, from, asked->flags);
  asked->errNode_out = nullptr;
  asked->result_out =
      error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return error;
}

cudaError_t launch_graph(Session& session, cudaGraphExec_t handle, Stream* stream) {
  const ExecutableGraph* const found = ExecutableGraph::find(handle);
  if (found == nullptr) return cudaErrorInvalidValue;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const auto error = may_wait(session, *stream); error != cudaSuccess) return error;
  session.machine.spend(cost::kSubmitNs);
  return queue_graph(session, *found, *stream);
}

cudaError_t update(cudaGraphExec_t handle, cudaGraph_t from,
                   cudaGraphExecUpdateResultInfo* result) {
  const Graph* const graph = Graph::find(from);
  const ExecutableGraph* const found = ExecutableGraph::find(handle);
  if (graph == nullptr || found == nullptr) return cudaErrorInvalidValue;
  const cudaGraphExecUpdateResult done = become(*found->graph, *graph);
  if (result != nullptr) {
    *result = {};
    result->result = done;
  }
  return done == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
}

/// Kernels, copies and fills alone can be left out.
GraphNode* with_switch(cudaGraphExec_t executable, cudaGraphNode_t node) {
  GraphNode* const found = node_of(executable, node);
  return found != nullptr && found->type <= cudaGraphNodeTypeMemset ? found : nullptr;
}

}  // namespace

extern "C" {

#define XFER_ON_STREAM(MEANS) session.machine.stream(stream, DefaultStream::MEANS)

#define XFER_EXECUTABLE(SUFFIX, MEANS)                                                           \
  cudaError_t cudaGraphLaunch##SUFFIX(cudaGraphExec_t graphExec, cudaStream_t stream) {          \
    return XFER_CALL(cudaGraphLaunch##SUFFIX##_v10000, graphExec, stream)                        \
        .run([&](Session& session) {                                                             \
          return launch_graph(session, graphExec, XFER_ON_STREAM(MEANS));                        \
        });                                                                                      \
  }                                                                                              \
  cudaError_t cudaGraphUpload##SUFFIX(cudaGraphExec_t graphExec, cudaStream_t stream) {          \
    return XFER_CALL(cudaGraphUpload##SUFFIX##_v10000, graphExec, stream).run([&](Session&) {    \
      return ExecutableGraph::find(graphExec) ? cudaSuccess : cudaErrorInvalidValue;             \
    });                                                                                          \
  }                                                                                              \
  cudaError_t cudaGraphInstantiateWithParams##SUFFIX(                                            \
      cudaGraphExec_t* pGraphExec, cudaGraph_t graph, cudaGraphInstantiateParams* params) {      \
    return XFER_CALL(cudaGraphInstantiateWithParams##SUFFIX##_v12000, pGraphExec, graph, params) \
        .run([&](Session& session) { return instantiate(session, pGraphExec, graph, params); }); \
  }
XFER_EXECUTABLE(, kLegacy)
XFER_EXECUTABLE(_ptsz, kPerThread)

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return XFER_CALL(cudaGraphInstantiate_v12000, pGraphExec, graph, flags)
      .run([&](Session& session) { return instantiate(session, pGraphExec, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return XFER_CALL(cudaGraphInstantiateWithFlags_v11040, pGraphExec, graph, flags)
      .run([&](Session& session) { return instantiate(session, pGraphExec, graph, flags); });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long* flags) {
  return XFER_CALL(cudaGraphExecGetFlags_v12000, graphExec, flags).run([&](Session&) {
    const ExecutableGraph* const found = ExecutableGraph::find(graphExec);
    if (found == nullptr || flags == nullptr) return cudaErrorInvalidValue;
    *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo* resultInfo) {
  return XFER_CALL(cudaGraphExecUpdate_v10020, hGraphExec, hGraph, resultInfo).run([&](Session&) {
    return update(hGraphExec, hGraph, resultInfo);
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                    unsigned int isEnabled) {
  return XFER_CALL(cudaGraphNodeSetEnabled_v11060, hGraphExec, hNode, isEnabled).run([&](Session&) {
    GraphNode* const node = with_switch(hGraphExec, hNode);
    if (node == nullptr) return cudaErrorInvalidValue;
    node->enabled = isEnabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                    unsigned int* isEnabled) {
  return XFER_CALL(cudaGraphNodeGetEnabled_v11060, hGraphExec, hNode, isEnabled).run([&](Session&) {
    const GraphNode* const node = with_switch(hGraphExec, hNode);
    if (node == nullptr || isEnabled == nullptr) return cudaErrorInvalidValue;
    *isEnabled = node->enabled ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return XFER_CALL(cudaGraphExecDestroy_v10000, graphExec).run([&](Session&) {
    return executables().erase(graphExec) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}
}
