// Stream capture: begun, ended, asked about.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

#include "cudart/capture.h"
#include "cudart/graph/graphs.h"
#include "machine/cost_model.h"

using namespace xfer::emulator;

namespace {

cudaError_t begin_capture(Session& session, Stream* stream, std::shared_ptr<Graph> graph,
                          std::vector<GraphNode*> after) {
  static std::uint64_t last_id = 0;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->legacy) return cudaErrorStreamCaptureUnsupported;
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  session.machine.spend(cost::kCallNs);
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  stream->capture->id = ++last_id;
  stream->capture->graph = std::move(graph);
  stream->capture->parts[stream].last = std::move(after);
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
  *handle = give_to_program(capture->graph);
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

/// Outputs for the capture's state so far. Arrays stay as they are until the capture goes on.
struct Info {
  unsigned long long* id;
  cudaGraph_t* graph;
  const cudaGraphNode_t** dependencies;
  const cudaGraphEdgeData** edges;
  size_t* count;
};

cudaError_t tell(Session& session, Stream* stream, cudaStreamCaptureStatus* status,
                 const Info& info) {
  static std::vector<cudaGraphEdgeData> no_data;  // edges have none
  if (const auto error = is_capturing(session, stream, status); error != cudaSuccess) return error;
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  Capture& capture = *stream->capture;
  std::vector<GraphNode*>& last = capture.parts[stream].last;
  no_data.resize(std::max(no_data.size(), last.size()));
  if (info.id != nullptr) *info.id = capture.id;
  if (info.graph != nullptr) *info.graph = handle_of(*capture.graph);
  if (info.dependencies != nullptr)
    *info.dependencies = reinterpret_cast<const cudaGraphNode_t*>(last.data());
  if (info.edges != nullptr) *info.edges = no_data.data();
  if (info.count != nullptr) *info.count = last.size();
  return cudaSuccess;
}

cudaError_t update(Stream* stream, const cudaGraphNode_t* handles, size_t count, unsigned flags) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
  if (stream->capture == nullptr) return cudaErrorIllegalState;
  std::vector<GraphNode*> nodes;
  if (!find_nodes(stream->capture->graph.get(), handles, count, &nodes))
    return cudaErrorInvalidValue;
  std::vector<GraphNode*>& last = stream->capture->parts[stream].last;
  if (flags == cudaStreamSetCaptureDependencies) last.clear();
  for (GraphNode* const node : nodes)
    if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
  return cudaSuccess;
}

}  // namespace

extern "C" {

#define XFER_ON_STREAM(MEANS) session.machine.stream(stream, DefaultStream::MEANS)

#define XFER_CAPTURE(SUFFIX, SUFFIX_OF_PARAMS, MEANS)                                              \
  cudaError_t cudaStreamBeginCapture##SUFFIX(cudaStream_t stream, cudaStreamCaptureMode mode) {    \
    return XFER_CALL(cudaStreamBeginCapture##SUFFIX_OF_PARAMS##_v10000, stream, mode)              \
        .run([&](Session& session) {                                                               \
          return begin_capture(session, XFER_ON_STREAM(MEANS), std::make_shared<Graph>(), {});     \
        });                                                                                        \
  }                                                                                                \
  cudaError_t cudaStreamBeginCaptureToGraph##SUFFIX(                                               \
      cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,                 \
      const cudaGraphEdgeData* dependencyData, size_t numDependencies,                             \
      cudaStreamCaptureMode mode) {                                                                \
    return XFER_CALL(cudaStreamBeginCaptureToGraph##SUFFIX_OF_PARAMS##_v12030, stream, graph,      \
                     dependencies, dependencyData, numDependencies, mode)                          \
        .run([&](Session& session) {                                                               \
          Graph* const found = Graph::find(graph);                                                 \
          std::vector<GraphNode*> after;                                                           \
          if (!find_nodes(found, dependencies, numDependencies, &after))                           \
            return cudaErrorInvalidValue;                                                          \
          return begin_capture(session, XFER_ON_STREAM(MEANS), found->shared_from_this(), after);  \
        });                                                                                        \
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
  cudaError_t cudaStreamGetCaptureInfo##SUFFIX(                                                    \
      cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,                \
      cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,   \
      size_t* count) {                                                                             \
    return XFER_CALL(cudaStreamGetCaptureInfo##SUFFIX_OF_PARAMS##_v12030, stream, status, id,      \
                     graph, dependencies, edges, count)                                            \
        .run([&](Session& session) {                                                               \
          return tell(session, XFER_ON_STREAM(MEANS), status,                                      \
                      {id, graph, dependencies, edges, count});                                    \
        });                                                                                        \
  }                                                                                                \
  cudaError_t cudaStreamUpdateCaptureDependencies##SUFFIX(                                         \
      cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData* dependencyData, \
      size_t numDependencies, unsigned int flags) {                                                \
    return XFER_CALL(cudaStreamUpdateCaptureDependencies##SUFFIX_OF_PARAMS##_v12030, stream,       \
                     dependencies, dependencyData, numDependencies, flags)                         \
        .run([&](Session& session) {                                                               \
          return update(XFER_ON_STREAM(MEANS), dependencies, numDependencies, flags);              \
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
}
