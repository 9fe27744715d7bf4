// The launches of the recorder: which buffers a kernel may touch.
//
// A launch touches what its parameters point at. What parameters do not show makes it one that may
// touch anything: a class by value, a pointer to pointers, a texture or surface, a graph, or a
// device pointer that was stored where kernels find it without being told (a __device__ variable).

#include <cstring>

#include "recorder.h"

namespace xfer::tracer {
std::vector<Event> Recorder::buffers_of(const Kernel& kernel, const OpenCall& open,
                                        std::uint16_t& flags) {
  std::vector<Event> buffers;
  const KernelSignature& signature = kernel.signature;
  flags |= kMayTouchAll;
  void* const* arguments = open.call.launch.arguments;
  if (!signature.known) return buffers;
  bool all = arguments != nullptr || signature.params.empty();
  for (std::size_t i = 0; arguments != nullptr && i < signature.params.size(); ++i) {
    const KernelParam& param = signature.params[i];
    if (param.kind == KernelParam::Kind::kOpaque) {  // the positions that follow are not sure
      all = false;
      break;
    }
    if (param.kind == KernelParam::Kind::kScalar || arguments[i] == nullptr) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, arguments[i], sizeof(value));
    const auto allocation = memory_.find(value);
    if (param.kind == KernelParam::Kind::kWord && !allocation) continue;
    if (value == 0) continue;
    Event event = base_event(open, EventKind::kLaunchArg);
    event.name = kernel.name;
    event.source = i + 1;
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
  if (!all) return buffers;
  flags |= kAllArguments;
  if (!signature.may_touch_all && !opaque_access_.load(std::memory_order_relaxed))
    flags &= static_cast<std::uint16_t>(~kMayTouchAll);
  return buffers;
}

void Recorder::enter_launch(OpenCall& open) {
  const Kernel& kernel = kernels_.find(open.at.symbol);
  Event event = base_event(open, EventKind::kLaunch);
  event.flags |= kAsync;
  event.name = kernel.name;
  const std::vector<Event> buffers = buffers_of(kernel, open, event.flags);
  if (kernel.skipped) event.flags |= kSkipped;
  open.parts.push_back({queue_.reserve(buffers, event), event, {}, false, false});
}

void Recorder::enter_graph_launch(OpenCall& open) {
  pending_.drop_all();  // it may copy into the same host memory
  Event event = base_event(open, EventKind::kLaunch);
  event.flags |= kAsync | kMayTouchAll;
  open.parts.push_back({queue_.reserve(event), event, {}, false, false});
}

bool Recorder::may_hold_addresses(const Transfer& transfer, const Place& from) const {
  // Once kernels can reach anything, it stays so: the engine need not be told again.
  return !addresses_seen_.load(std::memory_order_relaxed) && from.readable_host && from.known &&
         extent(transfer, transfer.source) >= sizeof(void*);
}

}  // namespace xfer::tracer
