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
      if (allocation->device >= 0) event.device = allocation->device;
      if (is_host(allocation->space) && (event.flags & kWrites) != 0)
        pending_.drop_range(allocation->begin, allocation->end);
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
  open.parts.push_back({queue_.reserve(buffers, event), event, {}, false, false});
}

void Recorder::enter_graph_launch(OpenCall& open) {
  pending_.drop_all();  // it may copy into the same host memory
  Event event = base_event(open, EventKind::kLaunch);
  event.flags |= kAsync | kMayTouchAll;
  open.parts.push_back({queue_.reserve(event), event, {}, false, false});
}

bool Recorder::holds_addresses(const Transfer& transfer, const Place& from) {
  // Once kernels can reach anything, it stays so: the engine need not be told again.
  if (addresses_seen_.load(std::memory_order_relaxed)) return false;
  const CopySide& side = transfer.source;
  const std::uint64_t bytes = extent(transfer, side);
  if (bytes < sizeof(void*) || !from.readable_host || !from.known) return false;
  return memory_.holds_device_pointer(reinterpret_cast<const void*>(side.address), bytes);
}

}  // namespace xfer::tracer
