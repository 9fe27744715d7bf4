#include "cudart/graph/graph.h"
#include "cudart/stream_calls.h"
#include "cudart/stream_memory.h"

namespace xfer::emulator {
namespace {

/// The calls that the nodes stand for.
struct Queue {
  Session& session;
  Stream& stream;

  cudaError_t operator()(std::monostate) { return cudaSuccess; }
  cudaError_t operator()(const KernelWork& work) {
    session.thread.next_kernel_ns = work.duration_ns;
    return launch(session, work.function, work.shape, work.arguments->pointers(), &stream);
  }
  cudaError_t operator()(const CopyWork& work) { return copy(session, work.copy, &stream, true); }
  cudaError_t operator()(const Fill& work) { return fill(session, work, &stream, true); }
  cudaError_t operator()(const HostWork& work) { return call_on_host(session, &stream, work); }
  cudaError_t operator()(const RecordWork& work) {
    return record_event(session, work.event, &stream, cudaEventRecordDefault);
  }
  cudaError_t operator()(const WaitWork& work) {
    return wait_event(session, work.event, &stream, cudaEventWaitDefault);
  }
  cudaError_t operator()(const AllocateWork& work) {
    work.memory->use(true);
    return cudaSuccess;
  }
  cudaError_t operator()(const FreeWork& work) {
    return free_in_stream(session, work.pointer, &stream);
  }
  cudaError_t operator()(const ChildWork& work) { return all(*work.graph); }

  cudaError_t all(const Graph& graph) {
    for (const auto& node : graph.nodes) {
      if (!node->enabled) continue;
      if (node->type != cudaGraphNodeTypeGraph) ++session.thread.graph_node;
      if (const auto error = std::visit(*this, node->work); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }
};

/// Memory that an earlier launch left to the program, which has not freed it.
cudaError_t take_back(const Graph& graph, bool may_free) {
  for (const auto& node : graph.nodes) {
    if (const auto* const child = std::get_if<ChildWork>(&node->work)) {
      if (const auto error = take_back(*child->graph, may_free); error != cudaSuccess) return error;
    }
    const auto* const work = std::get_if<AllocateWork>(&node->work);
    if (work == nullptr || !work->memory->used()) continue;
    if (!may_free) return cudaErrorInvalidValue;
    work->memory->use(false);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t queue_graph(Session& session, const ExecutableGraph& executable, Stream& stream) {
  const bool may_free = (executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  if (const auto error = take_back(*executable.graph, may_free); error != cudaSuccess) return error;
  ThreadContext& thread = session.thread;
  const int current = std::exchange(thread.device, stream.device);
  const cudaError_t error = Queue{session, stream}.all(*executable.graph);
  thread.graph_node = 0;
  thread.next_kernel_ns = 0;
  thread.device = current;
  return error;
}

}  // namespace xfer::emulator
