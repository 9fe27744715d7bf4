#pragma once
// Stream capture: between cudaStreamBeginCapture and cudaStreamEndCapture calls on a stream are not
// queued but kept, and cudaGraphLaunch makes them again, one after the other on one stream: one of
// the orders that the graph allows. Streams that wait for an event of the capture take part in it.

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "cudart/api_call.h"

namespace xfer::emulator {

/// Queues the call's work on a stream, once more.
using Node = std::function<cudaError_t(Session&, Stream&)>;

struct Graph {
  std::vector<Node> nodes;
};

struct Capture {
  struct Part {
    std::uint64_t nodes = 0;
    bool joined = true;  ///< what the stream was given is waited for by another
  };

  Graph graph;
  const Stream* origin = nullptr;
  std::uint64_t id = 0;
  bool broken = false;  ///< by a call that is not allowed meanwhile
  std::map<Stream*, Part> parts;
};

/// Asked before work is queued: whether what the program captures forbids it.
cudaError_t may_queue(Session& session, const Stream& stream);
/// Asked before the host waits for the stream, or asks whether its work is done.
cudaError_t may_wait(Session& session, const Stream& stream);
/// As may_wait, of all streams of a device.
cudaError_t may_wait_for_device(Session& session, int device);

/// The stream must be capturing.
cudaError_t keep(Stream& stream, Node node);
void record_captured(Event& event, Stream& stream);
/// The event was recorded in a capture, or the stream is capturing.
cudaError_t wait_captured(const Event& event, Stream& stream);
/// The stream is going away.
void leave_capture(Stream& stream);

}  // namespace xfer::emulator
