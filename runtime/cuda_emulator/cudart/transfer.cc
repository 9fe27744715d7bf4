#include "cudart/transfer.h"

#include <cstring>
#include <memory>
#include <vector>

#include "cudart/capture.h"
#include "machine/cost_model.h"

namespace xfer::emulator {
namespace {

// Up to this size a pageable upload is taken over at once and the call returns before the device
// has the data; a larger one waits.
constexpr std::size_t kStagedBytes = 64 << 10;
// What a download that has not run yet leaves where its result will be: not a number in any float
// format, -1 in any signed integer.
constexpr int kPoison = 0xFF;

struct Rows {
  std::byte* address;
  std::size_t pitch;
};

void copy_rows(Rows to, Rows from, std::size_t width, std::size_t height) {
  if (height == 1 || (to.pitch == width && from.pitch == width)) {
    std::memmove(to.address, from.address, width * height);
    return;
  }
  for (std::size_t row = 0; row < height; ++row) {
    std::memmove(to.address + row * to.pitch, from.address + row * from.pitch, width);
  }
}

void fill_rows(Rows to, int value, std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row) {
    std::memset(to.address + row * to.pitch, value, width);
  }
}

bool span_fits(const Place& place, const void* address, std::size_t pitch, std::size_t width,
               std::size_t height) {
  if (place.dangling) return false;
  if (place.begin == 0) return true;
  const std::uint64_t left = place.begin + place.bytes - reinterpret_cast<std::uintptr_t>(address);
  return width <= left && (height == 1 || height - 1 <= (left - width) / pitch);
}

bool device_side(const Place& place) { return place.kind != MemoryKind::kPageable; }

HostRange host_range(const void* address, std::size_t pitch, std::size_t width,
                     std::size_t height) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return {begin, begin + (height - 1) * pitch + width};
}

cudaError_t check_direction(cudaMemcpyKind kind, const Place& to, const Place& from) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return to.device < 0 && from.device < 0 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyHostToDevice: return device_side(to) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyDeviceToHost: return device_side(from) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyDeviceToDevice:
      return device_side(to) && device_side(from) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemcpyDefault: return cudaSuccess;
  }
  return cudaErrorInvalidMemcpyDirection;
}

struct Route {
  cost::Link link;
  Engine engine;
};

Route route_of(const Place& to, const Place& from) {
  if (to.device >= 0 && from.device >= 0) {
    return {to.device == from.device ? cost::Link::kDevice : cost::Link::kPeer, Engine::kCompute};
  }
  if (to.device < 0 && from.device < 0) return {cost::Link::kHost, Engine::kCompute};
  const Place& host = to.device < 0 ? to : from;
  return {host.kind == MemoryKind::kPageable ? cost::Link::kPageable : cost::Link::kPinned,
          to.device >= 0 ? Engine::kToDevice : Engine::kToHost};
}

}  // namespace

cudaError_t copy(Session& session, const Copy& request, Stream* stream, bool async) {
  Machine& machine = session.machine;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (request.width == 0 || request.height == 0) return cudaSuccess;
  if (request.destination == nullptr || request.source == nullptr) return cudaErrorInvalidValue;
  const Place to = machine.locate(request.destination);
  const Place from = machine.locate(request.source);
  if (const auto error = check_direction(request.kind, to, from); error != cudaSuccess) {
    return error;
  }
  if (!span_fits(to, request.destination, request.destination_pitch, request.width,
                 request.height) ||
      !span_fits(from, request.source, request.source_pitch, request.width, request.height)) {
    return cudaErrorInvalidValue;
  }
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  if (stream->capture != nullptr) {
    if (!async) return may_wait(session, *stream);
    return keep(*stream, [in_graph = request](Session& later, Stream& target) mutable {
      in_graph.in_graph = true;
      return copy(later, in_graph, &target, true);
    });
  }

  const std::size_t bytes = request.width * request.height;
  const Route route = route_of(to, from);
  const bool to_host = to.device < 0;
  const bool from_host = from.device < 0;
  const bool staged = from_host && !to_host && from.kind == MemoryKind::kPageable &&
                      bytes <= kStagedBytes && !request.in_graph;
  // Does the host wait for the copy to be over?
  bool waits;
  if (request.in_graph) {
    waits = false;
  } else if (to_host && from_host) {
    waits = true;
  } else if (!to_host && !from_host) {
    waits = false;
  } else {
    const Place& host = to_host ? to : from;
    waits = (!async || host.kind == MemoryKind::kPageable) && !staged;
  }

  machine.spend(cost::kSubmitNs);
  Op op;
  op.activity.kind = Activity::Kind::kCopy;
  op.activity.async = async;
  op.activity.source = from.kind;
  op.activity.destination = to.kind;
  op.activity.source_device = from.device;
  op.activity.destination_device = to.device;
  op.activity.bytes = bytes;
  machine.place(*stream, route.engine, cost::copy_ns(route.link, bytes), &op.activity);
  const std::uint64_t end_ns = op.activity.end_ns;

  const Rows target{machine.reach(request.destination), request.destination_pitch};
  Rows source{machine.reach(request.source), request.source_pitch};
  std::shared_ptr<std::vector<std::byte>> stage;
  if (staged) {
    stage = std::make_shared<std::vector<std::byte>>(bytes);
    copy_rows({stage->data(), request.width}, source, request.width, request.height);
    source = {stage->data(), request.width};
  } else if (from_host) {
    op.host_ranges.push_back(
        host_range(request.source, request.source_pitch, request.width, request.height));
  }
  if (to_host) {
    const HostRange range =
        host_range(request.destination, request.destination_pitch, request.width, request.height);
    machine.host_watch().release(range);
    if (!waits && machine.scheduler().schedule() != Schedule::kEager) {
      machine.scheduler().finish_touching(session.lock, range);
      fill_rows(target, kPoison, request.width, request.height);
    }
    op.host_ranges.push_back(range);
  }
  // What the host may not touch before it has been told that the copy is over: memory of CUDA's
  // own, since of other memory nobody knows how it was protected before.
  HostRange pending;
  if (!waits && to_host != from_host && request.height == 1)
    if (const auto block =
            machine.host_memory().find(op.host_ranges.empty() ? 0 : op.host_ranges.front().begin);
        block && block->kind == HostKind::kPinned)
      pending = op.host_ranges.front();
  op.run = [target, source, stage, ranges = op.host_ranges, &watch = machine.host_watch(),
            width = request.width, height = request.height] {
    for (const HostRange& range : ranges) watch.release(range);
    copy_rows(target, source, width, height);
  };
  ++machine.copies;
  machine.copied_bytes += bytes;
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  machine.host_watch().watch(pending, from_host);
  if (waits) {
    machine.scheduler().finish(session.lock, *stream);
    machine.wait_until(end_ns);
  } else if (staged && !async) {
    machine.wait_until(end_ns);
  }
  return cudaSuccess;
}

cudaError_t fill(Session& session, const Fill& request, Stream* stream, bool async) {
  Machine& machine = session.machine;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (request.width == 0 || request.height == 0) return cudaSuccess;
  const Place place = machine.locate(request.destination);
  if (!device_side(place) ||
      !span_fits(place, request.destination, request.pitch, request.width, request.height)) {
    return cudaErrorInvalidValue;
  }
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  if (stream->capture != nullptr) {
    if (!async) return may_wait(session, *stream);
    return keep(*stream, [request](Session& later, Stream& target) {
      return fill(later, request, &target, true);
    });
  }
  machine.spend(cost::kSubmitNs);
  Op op;
  op.activity.kind = Activity::Kind::kFill;
  op.activity.async = async;
  op.activity.destination = place.kind;
  op.activity.destination_device = place.device;
  op.activity.bytes = request.width * request.height;
  op.activity.value = static_cast<unsigned char>(request.value);
  machine.place(*stream, Engine::kCompute, cost::fill_ns(op.activity.bytes), &op.activity);
  const std::uint64_t end_ns = op.activity.end_ns;
  const Rows target{machine.reach(request.destination), request.pitch};
  if (place.device < 0) {
    op.host_ranges.push_back(
        host_range(request.destination, request.pitch, request.width, request.height));
  }
  op.run = [target, value = request.value, width = request.width, height = request.height] {
    fill_rows(target, value, width, height);
  };
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  if (!async && place.device < 0) {  // a fill of device memory does not make the host wait
    machine.scheduler().finish(session.lock, *stream);
    machine.wait_until(end_ns);
  }
  return cudaSuccess;
}

}  // namespace xfer::emulator
