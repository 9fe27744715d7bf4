#include "cudart/transfer.h"

#include <sys/mman.h>

#include <memory>
#include <vector>

#include "cudart/capture.h"
#include "cudart/rows.h"
#include "machine/cost_model.h"
#include "machine/page.h"

namespace xfer::emulator {
namespace {

// Up to this size a pageable upload is taken over at once and the call returns before the device
// has the data; a larger one waits.
constexpr std::size_t kStagedBytes = 64 << 10;
// The byte that fills a download's destination until the download runs: not a number in any float
// format, -1 in any signed integer.
constexpr int kPoison = 0xFF;

bool span_fits(const AddressInfo& place, const void* address, Step step, Extent extent) {
  if (place.dangling) return false;
  if (place.begin == 0) return true;
  std::uint64_t left = place.begin + place.bytes - reinterpret_cast<std::uintptr_t>(address);
  const auto take = [&](std::uint64_t bytes, std::size_t times) {
    if (times != 0 && bytes > left / times) return false;
    left -= bytes * times;
    return true;
  };
  return take(extent.width, 1) && take(step.row, extent.height - 1) &&
         take(step.slice, extent.depth - 1);
}

bool device_side(const AddressInfo& place) { return place.kind != MemoryKind::kPageable; }

std::uint32_t value_of(const Fill& request) {
  const auto value = static_cast<std::uint32_t>(request.value);
  return request.value_bytes == 4 ? value : value & ((1u << (8 * request.value_bytes)) - 1);
}

HostRange host_range(const void* address, Step step, Extent extent) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return {begin,
          begin + (extent.depth - 1) * step.slice + (extent.height - 1) * step.row + extent.width};
}

cudaError_t check_direction(cudaMemcpyKind kind, const AddressInfo& to, const AddressInfo& from) {
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
  DeviceEngine engine;
};

Route route_of(const AddressInfo& to, const AddressInfo& from) {
  if (to.device >= 0 && from.device >= 0) {
    return {to.device == from.device ? cost::Link::kDevice : cost::Link::kPeer,
            DeviceEngine::kCompute};
  }
  if (to.device < 0 && from.device < 0) return {cost::Link::kHost, DeviceEngine::kCompute};
  const AddressInfo& host = to.device < 0 ? to : from;
  return {host.kind == MemoryKind::kPageable ? cost::Link::kPageable : cost::Link::kPinned,
          to.device >= 0 ? DeviceEngine::kToDevice : DeviceEngine::kToHost};
}

/// As cudaMemcpy3D would be asked for it.
cudaMemcpy3DParms said_of(const Copy& copy) {
  const auto memory = [&](const void* address, std::size_t pitch, std::size_t slice) {
    const std::size_t rows = copy.depth > 1 && pitch != 0 ? slice / pitch : copy.height;
    return cudaPitchedPtr{const_cast<void*>(address), pitch, copy.width, rows};
  };
  cudaMemcpy3DParms said{};
  said.srcPtr = memory(copy.source, copy.source_pitch, copy.source_slice);
  said.dstPtr = memory(copy.destination, copy.destination_pitch, copy.destination_slice);
  said.extent = {copy.width, copy.height, copy.depth};
  said.kind = copy.kind;
  return said;
}

/// Registered memory is the program's, which may give it back to the system while a copy is under
/// way. A device then goes on with the pages that it knows, which nobody else sees.
bool may_go(Machine& machine, const HostRange& range) {
  const auto block = machine.host_memory().find(range.begin);
  return block && block->kind == HostKind::kRegistered;
}
bool is_mapped(const HostRange& range) {
  const std::uintptr_t begin = range.begin / page_bytes() * page_bytes();
  return msync(reinterpret_cast<void*>(begin), range.end - begin, MS_ASYNC) == 0;
}

}  // namespace

cudaError_t copy(Session& session, const Copy& request, Stream* stream, bool async) {
  Machine& machine = session.machine;
  const Extent extent{request.width, request.height, request.depth};
  const Step to_step{request.destination_pitch, request.destination_slice};
  const Step from_step{request.source_pitch, request.source_slice};
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (extent.empty()) return cudaSuccess;
  if (request.destination == nullptr || request.source == nullptr) return cudaErrorInvalidValue;
  const AddressInfo to = machine.locate(request.destination);
  const AddressInfo from = machine.locate(request.source);
  if (const auto error = check_direction(request.kind, to, from); error != cudaSuccess) {
    return error;
  }
  if (!span_fits(to, request.destination, to_step, extent) ||
      !span_fits(from, request.source, from_step, extent)) {
    return cudaErrorInvalidValue;
  }
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  if (stream->capture != nullptr) {
    if (!async) return may_wait(session, *stream);
    return keep(*stream, CopyWork{request, said_of(request)});
  }

  const std::size_t bytes = extent.bytes();
  const Route route = route_of(to, from);
  const bool to_host = to.device < 0;
  const bool from_host = from.device < 0;
  if (session.thread.launches_dry && to_host != from_host)
    (to_host ? session.thread.read_dry : session.thread.sent_dry) = true;
  // Of a graph: then the host does not wait, whatever memory it is.
  const bool in_graph = session.thread.graph_node != 0;
  const bool staged =
      from_host && !to_host && !in_graph &&
      (request.takes_source || (from.kind == MemoryKind::kPageable && bytes <= kStagedBytes));
  // Does the host wait for the copy to be over?
  bool waits;
  if (in_graph) {
    waits = false;
  } else if (to_host && from_host) {
    waits = true;
  } else if (!to_host && !from_host) {
    waits = false;
  } else {
    const AddressInfo& host = to_host ? to : from;
    waits = (!async || host.kind == MemoryKind::kPageable) && !staged;
  }

  machine.spend(cost::kSubmitNs);
  Op op;
  op.activity.kind = Activity::Kind::kCopy;
  op.activity.async = async;
  op.activity.source = request.from_array ? MemoryKind::kArray : from.kind;
  op.activity.destination = request.to_array ? MemoryKind::kArray : to.kind;
  op.activity.source_device = from.device;
  op.activity.destination_device = to.device;
  op.activity.bytes = bytes;
  machine.place(*stream, route.engine, cost::copy_ns(route.link, bytes), &op.activity);
  const std::uint64_t end_ns = op.activity.end_ns;

  const Rows target{machine.reach(request.destination), to_step};
  Rows source{machine.reach(request.source), from_step};
  std::shared_ptr<std::vector<std::byte>> stage;
  if (staged) {
    stage = std::make_shared<std::vector<std::byte>>(bytes);
    copy_rows({stage->data(), extent.dense()}, source, extent);
    source = {stage->data(), extent.dense()};
  } else if (from_host) {
    op.host_ranges.push_back(host_range(request.source, from_step, extent));
  }
  if (to_host) {
    const HostRange range = host_range(request.destination, to_step, extent);
    if (!waits && machine.scheduler().schedule() != Schedule::kEager) {
      machine.scheduler().finish_touching(session.lock, range);
      fill_rows(target, kPoison, extent);
    }
    op.host_ranges.push_back(range);
  }
  op.run = [target, source, stage, extent] { copy_rows(target, source, extent); };
  if (!op.host_ranges.empty() && may_go(machine, op.host_ranges.front()))
    op.run = [run = std::move(op.run), range = op.host_ranges.front()] {
      if (is_mapped(range)) run();
    };
  ++machine.copies;
  machine.copied_bytes += bytes;
  machine.scheduler().submit(session.lock, *stream, std::move(op));
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
  const Extent extent{request.width, request.height, request.depth};
  const Step step{request.pitch, request.slice};
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (extent.empty()) return cudaSuccess;
  const AddressInfo place = machine.locate(request.destination);
  if (!device_side(place) || !span_fits(place, request.destination, step, extent)) {
    return cudaErrorInvalidValue;
  }
  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  if (stream->capture != nullptr) {
    if (!async) return may_wait(session, *stream);
    return keep(*stream, request);
  }
  machine.spend(cost::kSubmitNs);
  Op op;
  op.activity.kind = Activity::Kind::kFill;
  op.activity.async = async;
  op.activity.destination = place.kind;
  op.activity.destination_device = place.device;
  op.activity.bytes = extent.bytes();
  op.activity.value = value_of(request);
  machine.place(*stream, DeviceEngine::kCompute, cost::fill_ns(op.activity.bytes), &op.activity);
  const std::uint64_t end_ns = op.activity.end_ns;
  const Rows target{machine.reach(request.destination), step};
  if (place.device < 0) {
    op.host_ranges.push_back(host_range(request.destination, step, extent));
  }
  op.run = [target, request, extent] {
    fill_rows(target, request.value, request.value_bytes, extent);
  };
  machine.scheduler().submit(session.lock, *stream, std::move(op));
  if (!async && place.device < 0) {  // a fill of device memory does not make the host wait
    machine.scheduler().finish(session.lock, *stream);
    machine.wait_until(end_ns);
  }
  return cudaSuccess;
}

}  // namespace xfer::emulator
