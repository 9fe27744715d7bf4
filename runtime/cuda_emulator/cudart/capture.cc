#include "cudart/capture.h"

#include <algorithm>
#include <utility>

namespace xfer::emulator {

cudaError_t may_queue(Session& session, const Stream& stream) {
  if (!stream.legacy) return cudaSuccess;
  // The default stream would have to wait for work that is not queued.
  for (const auto& other : session.machine.scheduler().streams()) {
    if (other->device != stream.device || !other->blocking || other->capture == nullptr) continue;
    other->capture->broken = true;
    return cudaErrorStreamCaptureImplicit;
  }
  return cudaSuccess;
}

cudaError_t may_wait(Session& session, const Stream& stream) {
  if (stream.capture == nullptr) return may_queue(session, stream);
  stream.capture->broken = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t may_wait_for_device(Session& session, int device) {
  cudaError_t error = cudaSuccess;
  for (const auto& stream : session.machine.scheduler().streams()) {
    if (stream->device != device || stream->capture == nullptr) continue;
    stream->capture->broken = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

cudaError_t may_wait(const Event& event) {
  if (event.capture == nullptr) return cudaSuccess;
  event.capture->broken = true;
  return cudaErrorCapturedEvent;
}

cudaError_t keep(Stream& stream, Work work) {
  Capture& capture = *stream.capture;
  if (capture.broken) return cudaErrorStreamCaptureInvalidated;
  Capture::Part& part = capture.parts[&stream];
  const cudaGraphNodeType type = type_of(work);
  part.last = {&capture.graph->add(type, std::move(work), std::move(part.last))};
  ++part.nodes;
  part.joined = false;
  return cudaSuccess;
}

void record_captured(Event& event, Stream& stream) {
  event.capture = stream.capture;
  event.captured_on = &stream;
  const Capture::Part& part = stream.capture->parts[&stream];
  event.captured_nodes = part.nodes;
  event.captured_last = part.last;
}

cudaError_t wait_captured(const Event& event, Stream& stream) {
  if (event.capture == nullptr) {
    if (event.record == nullptr) return cudaSuccess;  // never recorded: nothing to wait for
    stream.capture->broken = true;
    return cudaErrorStreamCaptureIsolation;
  }
  Capture& capture = *event.capture;
  const auto from = capture.parts.find(event.captured_on);
  if (from == capture.parts.end()) return cudaErrorInvalidValue;  // that capture has ended
  if (stream.legacy) return cudaErrorStreamCaptureImplicit;
  if (stream.capture != nullptr && stream.capture != event.capture) {
    capture.broken = stream.capture->broken = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (from->second.nodes == event.captured_nodes) from->second.joined = true;
  Capture::Part& part = capture.parts[&stream];
  if (stream.capture != nullptr && part.nodes != 0) part.joined = false;  // it waits for more now
  for (GraphNode* const node : event.captured_last)
    if (std::find(part.last.begin(), part.last.end(), node) == part.last.end())
      part.last.push_back(node);
  stream.capture = event.capture;
  return cudaSuccess;
}

void leave_capture(Stream& stream) {
  if (stream.capture == nullptr) return;
  Capture& capture = *stream.capture;
  if (&stream == capture.origin || !capture.parts[&stream].joined) capture.broken = true;
  capture.parts.erase(&stream);
  stream.capture = nullptr;
}

}  // namespace xfer::emulator
