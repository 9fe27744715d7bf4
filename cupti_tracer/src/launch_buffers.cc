// The launches of the recorder: which buffers a kernel may touch.
//
// A launch touches what its parameters point at. What parameters do not show makes it one that may
// touch anything: a class by value, a pointer to pointers, a texture or surface, a graph, or a
// device pointer that was stored where kernels find it without being told (a __device__ variable).

#include <cstring>

#include "host_content.h"
#include "recorder.h"

namespace xfer::tracer {
std::vector<Event> Recorder::buffers_of(const Kernel& kernel, const OpenCall& open,
                                        bool& may_touch_all) {
  std::vector<Event> buffers;
  const KernelSignature& signature = kernel.signature;
  may_touch_all = signature.may_touch_all || opaque_access_.load(std::memory_order_relaxed);
  void* const* arguments = open.call.launch.arguments;
  if (!signature.known) return buffers;
  if (arguments == nullptr) {
    may_touch_all = may_touch_all || !signature.params.empty();
    return buffers;
  }
  for (std::size_t i = 0; i < signature.params.size(); ++i) {
    const KernelParam& param = signature.params[i];
    if (param.kind == KernelParam::Kind::kOpaque) break;  // the positions that follow are not sure
    if (param.kind == KernelParam::Kind::kScalar || arguments[i] == nullptr) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, arguments[i], sizeof(value));
    const auto allocation = memory_.find(value);
    if (param.kind == KernelParam::Kind::kWord && !allocation) continue;
    if (value == 0) continue;
    Event event = base_event(open, EventKind::kLaunchArg);
    event.address = value;
    event.flags |= kReads;
    if (param.writes || param.kind == KernelParam::Kind::kWord) event.flags |= kWrites;
    if (allocation) {
      event.space = allocation->space;
      event.bytes = allocation->end - value;
      if (allocation->device >= 0) event.device = allocation->device;
      if (is_host(allocation->space) && (event.flags & kWrites) != 0)
        lose(pending_.take_range(allocation->begin, allocation->end));
    }
    buffers.push_back(event);
  }
  return buffers;
}

void Recorder::enter_launch(OpenCall& open) {
  const Kernel& kernel = kernels_.find(open.at.symbol);
  bool may_touch_all = true;
  const std::vector<Event> buffers = buffers_of(kernel, open, may_touch_all);
  Event event = base_event(open, EventKind::kLaunch);
  event.flags |= kAsync;
  event.name = kernel.name;
  if (may_touch_all) event.flags |= kMayTouchAll;
  if (kernel.skipped) event.flags |= kSkipped;
  if (may_touch_all) reserve_peers(open, event);
  open.parts.push_back({queue_.reserve(buffers, event), event, {}, false, false});
}

void Recorder::reserve_peers(const OpenCall& open, const Event& launch) {
  if (!peer_access_.load(std::memory_order_relaxed)) return;
  std::uint64_t devices = devices_.load(std::memory_order_relaxed);
  for (std::int16_t device = 0; devices != 0; ++device, devices >>= 1) {
    if ((devices & 1) == 0 || device == open.at.device) continue;
    Event event = launch;
    event.device = device;
    queue_.append(event);
  }
}

void Recorder::enter_graph_launch(OpenCall& open) {
  lose(pending_.take_all());
  Event event = base_event(open, EventKind::kLaunch);
  event.flags |= kAsync | kMayTouchAll;
  reserve_peers(open, event);
  open.parts.push_back({queue_.reserve(event), event, {}, false, false});
}

void Recorder::scan_for_pointers(const Transfer& transfer) {
  if (opaque_access_.load(std::memory_order_relaxed)) return;
  const CopySide& side = transfer.source;
  if (!is_readable(side.address, transfer.bytes())) return;
  if (memory_.holds_device_pointer(reinterpret_cast<const void*>(side.address), transfer.bytes()))
    opaque_access_.store(true, std::memory_order_relaxed);
}

}  // namespace xfer::tracer
