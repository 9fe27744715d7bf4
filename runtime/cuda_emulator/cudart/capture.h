#pragma once
// Stream capture: between cudaStreamBeginCapture and cudaStreamEndCapture calls on a stream are not
// queued but become nodes of a graph. Streams that wait for an event of the capture take part in
// it.

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cudart/api_call.h"
#include "cudart/graph/graph.h"

namespace xfer::emulator {

struct Capture {
  struct Part {
    std::uint64_t nodes = 0;
    bool joined = true;            ///< what the stream was given is waited for by another
    std::vector<GraphNode*> last;  ///< that its next node waits for
  };

  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  const Stream* origin = nullptr;
  std::uint64_t id = 0;
  bool broken = false;  ///< by a call that is not allowed meanwhile
  std::map<Stream*, Part> parts;
};

/// Asked before work is queued: whether what the program captures forbids it.
cudaError_t may_queue(Session& session, const Stream& stream);
/// Asked before the host waits for the stream, asks whether its work is done, or launches a graph
/// there.
cudaError_t may_wait(Session& session, const Stream& stream);
/// As may_wait, of all streams of a device.
cudaError_t may_wait_for_device(Session& session, int device);
/// As may_wait, of an event.
cudaError_t may_wait(const Event& event);

/// The stream must be capturing.
cudaError_t keep(Stream& stream, Work work);
/// The work that a call on a stream would put into a graph.
template <typename Call>
cudaError_t captured(const Session& session, Call call, Work* work);
void record_captured(Event& event, Stream& stream);
/// The event was recorded in a capture, or the stream is capturing.
cudaError_t wait_captured(const Event& event, Stream& stream);
/// The stream is going away.
void leave_capture(Stream& stream);

template <typename Call>
cudaError_t captured(const Session& session, Call call, Work* work) {
  Stream stream;
  stream.device = session.thread.device;
  stream.capture = std::make_shared<Capture>();
  if (const cudaError_t error = call(&stream); error != cudaSuccess) return error;
  const auto& nodes = stream.capture->graph->nodes;
  *work = nodes.empty() ? Work() : std::move(nodes.front()->work);
  return cudaSuccess;
}

}  // namespace xfer::emulator
