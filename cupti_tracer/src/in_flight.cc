#include "in_flight.h"

#include <algorithm>

#include "order/host_lesson.h"

namespace xfer::tracer {
namespace {

/// The kernel may tell the host something by it.
bool is_visible(const Event& argument) {
  return argument.space != Space::kDevice && (argument.flags & kPlain) == 0;
}

}  // namespace

void InFlight::see(const Event& event, const Transfer& transfer, std::span<const Event> arguments,
                   std::span<const WatchedBytes> sides) {
  if (!watch_.watch || (event.flags & (kCaptured | kFailed)) != 0) return;
  const std::lock_guard lock(mutex_);
  ++now_;
  order(event);
  learn(event, arguments);
  if (event.kind == EventKind::kCopy) add(event, transfer);
  if (event.kind == EventKind::kLaunch) add(event, arguments);
  for (WatchedBytes bytes : sides) {
    bytes.id = event.correlation;
    add(bytes, order_.stream_of(event));
  }
  any_.store(!copies_.empty(), std::memory_order_relaxed);
}

void InFlight::order(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy:
    case EventKind::kSet:
    case EventKind::kLaunch:
    case EventKind::kHostFunction: order_.run(event, now_); break;
    case EventKind::kSync: order_.sync(event, now_); break;
    case EventKind::kStreamCreate: order_.create(event); break;
    case EventKind::kStreamDestroy: order_.destroy(event); break;
    case EventKind::kEventRecord: order_.record(event, now_); break;
    case EventKind::kStreamWait: order_.wait(event, now_); break;
    default: break;
  }
}

void InFlight::learn(const Event& event, std::span<const Event> arguments) {
  if (copies_.empty()) return;
  const HostLesson lesson(event, order_,
                          std::any_of(arguments.begin(), arguments.end(), is_visible));
  if (lesson.is_empty()) return;
  std::erase_if(copies_, [&](const Copy& copy) {
    const bool is_over = lesson.covers(copy.work, order_);
    if (is_over) watch_.release(copy.id);
    return is_over;
  });
}

void InFlight::add(const Event& copy, const Transfer& transfer) {
  const bool to_host = copy.space == Space::kPinned;
  const bool crosses = to_host
                           ? copy.source_space == Space::kDevice
                           : copy.source_space == Space::kPinned && copy.space == Space::kDevice;
  if (!crosses || copy.bytes == 0 || (copy.flags & kAsync) == 0 || transfer.slices != 1) return;
  const CopySide& side = to_host ? transfer.destination : transfer.source;
  WatchedBytes bytes;
  bytes.id = copy.correlation;
  bytes.begin = side.address;
  bytes.width = transfer.width;
  bytes.pitch = side.pitch != 0 ? side.pitch : transfer.width;
  bytes.rows = transfer.rows;
  bytes.device_writes = to_host;
  add(bytes, order_.stream_of(copy));
}

void InFlight::add(const Event& launch, std::span<const Event> arguments) {
  unsigned count = 0;
  for (const Event& argument : arguments) {
    if ((argument.flags & kPlain) == 0) continue;
    if (++count > kMostOfLaunch) break;
    WatchedBytes bytes;
    bytes.id = launch.correlation;
    bytes.begin = argument.address;
    bytes.width = bytes.pitch = argument.bytes;
    bytes.device_writes = (argument.flags & kWrites) != 0;
    add(bytes, order_.stream_of(launch));
  }
}

void InFlight::add(const WatchedBytes& bytes, StreamId stream) {
  if (!order_.is_known(stream)) return;
  if (copies_.size() == kMost) {
    watch_.release(copies_.front().id);
    copies_.pop_front();
  }
  if (watch_.watch(bytes)) copies_.push_back({bytes.id, {stream, now_}});
}

}  // namespace xfer::tracer
