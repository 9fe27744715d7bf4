// Graphs: captured from streams, instantiated, launched. Graphs that a program builds node by node
// are not emulated.

#include <cuda_runtime_api.h>

#include <memory>
#include <unordered_map>
#include <utility>

#include "cudart/capture.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

/// What a handle points to, of graphs and executable graphs alike.
struct Holder {
  std::shared_ptr<const Graph> graph;
};

/// With the machine's lock held.
using Holders = std::unordered_map<const void*, std::unique_ptr<Holder>>;
Holders& graphs() {
  static Holders* const all = new Holders;
  return *all;
}
Holders& executables() {
  static Holders* const all = new Holders;
  return *all;
}

std::shared_ptr<const Graph> find(const Holders& in, const void* handle) {
  const auto found = in.find(handle);
  return found == in.end() ? nullptr : found->second->graph;
}

template <typename Handle>
Handle add(Holders& to, std::shared_ptr<const Graph> graph) {
  auto holder = std::make_unique<Holder>(Holder{std::move(graph)});
  Holder* const key = holder.get();
  to.emplace(key, std::move(holder));
  return reinterpret_cast<Handle>(key);
}

cudaError_t begin_capture(Session& session, Stream* stream) {
  static std::uint64_t last_id = 0;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->legacy) return cudaErrorStreamCaptureUnsupported;
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  session.machine.spend(cost::kCallNs);
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  stream->capture->id = ++last_id;
  stream->capture->parts.try_emplace(stream);
  return cudaSuccess;
}

cudaError_t end_capture(Session&, Stream* stream, cudaGraph_t* handle) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (handle == nullptr) return cudaErrorInvalidValue;
  *handle = nullptr;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream && capture->parts.contains(const_cast<Stream*>(capture->origin)))
    return cudaErrorStreamCaptureUnmatched;
  bool joined = true;
  for (const auto& [part, state] : std::exchange(capture->parts, {})) {
    part->capture = nullptr;
    joined = joined && (part == stream || state.joined);
  }
  if (capture->broken) return cudaErrorStreamCaptureInvalidated;
  if (!joined) return cudaErrorStreamCaptureUnjoined;
  *handle = add<cudaGraph_t>(graphs(), std::make_shared<const Graph>(std::move(capture->graph)));
  return cudaSuccess;
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (stream.capture == nullptr) return cudaStreamCaptureStatusNone;
  return stream.capture->broken ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
}

cudaError_t is_capturing(Session& session, const Stream* stream, cudaStreamCaptureStatus* status) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (status == nullptr) return cudaErrorInvalidValue;
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  *status = status_of(*stream);
  return cudaSuccess;
}

cudaError_t instantiate(Session& session, cudaGraphExec_t* handle, cudaGraph_t from) {
  const auto graph = find(graphs(), from);
  if (handle == nullptr || graph == nullptr) return cudaErrorInvalidValue;
  session.machine.spend(cost::kCallNs * (graph->nodes.size() + 1));
  *handle = add<cudaGraphExec_t>(executables(), graph);
  return cudaSuccess;
}

cudaError_t launch(Session& session, cudaGraphExec_t handle, Stream* stream) {
  const auto graph = find(executables(), handle);
  if (graph == nullptr) return cudaErrorInvalidValue;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  session.machine.spend(cost::kSubmitNs);
  cudaError_t error = cudaSuccess;
  for (const Node& node : graph->nodes) {
    ++session.thread.graph_node;
    error = stream->capture == nullptr ? node(session, *stream) : keep(*stream, node);
    if (error != cudaSuccess) break;
  }
  session.thread.graph_node = 0;
  return error;
}

}  // namespace

extern "C" {

#define XFER_ON_STREAM(MEANS) session.machine.stream(stream, DefaultStream::MEANS)

#define XFER_CAPTURE(SUFFIX, SUFFIX_OF_PARAMS, MEANS)                                              \
  cudaError_t cudaStreamBeginCapture##SUFFIX(cudaStream_t stream, cudaStreamCaptureMode mode) {    \
    return XFER_CALL(cudaStreamBeginCapture##SUFFIX_OF_PARAMS##_v10000, stream, mode)              \
        .run([&](Session& session) { return begin_capture(session, XFER_ON_STREAM(MEANS)); });     \
  }                                                                                                \
  cudaError_t cudaStreamEndCapture##SUFFIX(cudaStream_t stream, cudaGraph_t* pGraph) {             \
    return XFER_CALL(cudaStreamEndCapture##SUFFIX_OF_PARAMS##_v10000, stream, pGraph)              \
        .run([&](Session& session) {                                                               \
          return end_capture(session, XFER_ON_STREAM(MEANS), pGraph);                              \
        });                                                                                        \
  }                                                                                                \
  cudaError_t cudaStreamIsCapturing##SUFFIX(cudaStream_t stream,                                   \
                                            cudaStreamCaptureStatus* status) {                     \
    return XFER_CALL(cudaStreamIsCapturing##SUFFIX_OF_PARAMS##_v10000, stream, status)             \
        .run([&](Session& session) {                                                               \
          return is_capturing(session, XFER_ON_STREAM(MEANS), status);                             \
        });                                                                                        \
  }                                                                                                \
  cudaError_t cudaGraphLaunch##SUFFIX(cudaGraphExec_t graphExec, cudaStream_t stream) {            \
    return XFER_CALL(cudaGraphLaunch##SUFFIX_OF_PARAMS##_v10000, graphExec, stream)                \
        .run([&](Session& session) { return launch(session, graphExec, XFER_ON_STREAM(MEANS)); }); \
  }                                                                                                \
  cudaError_t cudaGraphUpload##SUFFIX(cudaGraphExec_t graphExec, cudaStream_t stream) {            \
    return XFER_CALL(cudaGraphUpload##SUFFIX_OF_PARAMS##_v10000, graphExec, stream)                \
        .run([&](Session&) {                                                                       \
          return find(executables(), graphExec) ? cudaSuccess : cudaErrorInvalidValue;             \
        });                                                                                        \
  }                                                                                                \
  /* What its graph looks like so far is not told. */                                              \
  cudaError_t cudaStreamGetCaptureInfo##SUFFIX(                                                    \
      cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,                \
      cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,   \
      size_t* count) {                                                                             \
    return XFER_CALL(cudaStreamGetCaptureInfo##SUFFIX_OF_PARAMS##_v12030, stream, status, id,      \
                     graph, dependencies, edges, count)                                            \
        .run([&](Session& session) {                                                               \
          const Stream* const found = XFER_ON_STREAM(MEANS);                                       \
          if (const auto error = is_capturing(session, found, status); error != cudaSuccess)       \
            return error;                                                                          \
          if (id != nullptr && found->capture != nullptr) *id = found->capture->id;                \
          if (graph != nullptr) *graph = nullptr;                                                  \
          if (dependencies != nullptr) *dependencies = nullptr;                                    \
          if (edges != nullptr) *edges = nullptr;                                                  \
          if (count != nullptr) *count = 0;                                                        \
          return cudaSuccess;                                                                      \
        });                                                                                        \
  }
XFER_CAPTURE(, , kLegacy)
XFER_CAPTURE(_ptsz, _ptsz, kPerThread)

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return XFER_CALL(cudaThreadExchangeStreamCaptureMode_v10010, mode).run([&](Session&) {
    static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    if (mode == nullptr) return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return XFER_CALL(cudaGraphInstantiate_v12000, pGraphExec, graph, flags)
      .run([&](Session& session) { return instantiate(session, pGraphExec, graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return XFER_CALL(cudaGraphInstantiateWithFlags_v11040, pGraphExec, graph, flags)
      .run([&](Session& session) { return instantiate(session, pGraphExec, graph); });
}

// Whatever the graphs have in common: the executable one becomes the other.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo* resultInfo) {
  return XFER_CALL(cudaGraphExecUpdate_v10020, hGraphExec, hGraph, resultInfo).run([&](Session&) {
    const auto graph = find(graphs(), hGraph);
    const auto executable = executables().find(hGraphExec);
    if (graph == nullptr || executable == executables().end()) return cudaErrorInvalidValue;
    std::shared_ptr<const Graph>& held = executable->second->graph;
    const bool fits = graph->nodes.size() == held->nodes.size();
    if (resultInfo != nullptr) {
      *resultInfo = {};
      resultInfo->result =
          fits ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
    }
    if (!fits) return cudaErrorGraphExecUpdateFailure;
    held = graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* numNodes) {
  if (nodes != nullptr) return xfer_emulator_not_supported("cudaGraphGetNodes for the nodes");
  return XFER_CALL(cudaGraphGetNodes_v10000, graph, nodes, numNodes).run([&](Session&) {
    const auto found = find(graphs(), graph);
    if (found == nullptr || numNodes == nullptr) return cudaErrorInvalidValue;
    *numNodes = found->nodes.size();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return XFER_CALL(cudaGraphDestroy_v10000, graph).run([&](Session&) {
    return graphs().erase(graph) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return XFER_CALL(cudaGraphExecDestroy_v10000, graphExec).run([&](Session&) {
    return executables().erase(graphExec) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}
}
