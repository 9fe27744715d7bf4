// The launches of the recorder: which buffers a kernel may touch.
//
// A launch touches the buffers that its parameters point at. It may touch anything where parameters
// do not show all: a class by value, a pointer to pointers, a texture or surface, a graph, or a
// device pointer that was stored where kernels find it without being told (a __device__ variable).

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

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
      if (is_host(allocation->space) && (event.flags & kWrites) != 0) {
        in_flight_.spoil(allocation->begin, allocation->end);
      }
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
  std::vector<Event> buffers = buffers_of(kernel, open, event.flags);
  if (kernel.skipped) event.flags |= kSkipped;
  if (!touched_) {
    open.parts.push_back({queue_.reserve(buffers, event), event, {}, false, false});
    return;
  }
  managed_.launch_begins();
  // exit_launch() gives the buffers it did touch; if it leaves before, those it may touch go along.
  const EventQueue::Ticket ticket = queue_.reserve_with(buffers, event);
  open.parts.push_back({ticket, event, {}, false, false, true, std::move(buffers)});
}

void Recorder::exit_launch(OpenCall::Part& part) {
  if (!part.kernel || !touched_) return;
  const auto touched = touched_(part.event.correlation);
  if (!touched) {
    managed_.forget();
    return add_variables(part);
  }
  part.event.flags |= kArgumentsOnly;
  part.event.flags &= static_cast<std::uint16_t>(~(kMayTouchAll | kAllArguments));
  part.arguments = touched_buffers(part, *touched);
  note_managed(part);
}

void Recorder::note_managed(const OpenCall::Part& part) {
  std::vector<ManagedUse::Block> blocks;
  for (const Event& argument : part.arguments)
    if (argument.space == Space::kManaged)
      if (const auto allocation = memory_.find(argument.address))
        blocks.push_back({allocation->begin, allocation->bytes()});
  managed_.launched(part.event, std::move(blocks));
}

void Recorder::add_variables(OpenCall::Part& part) const {
  Event event = part.event;
  event.kind = EventKind::kLaunchArg;
  event.space = Space::kDevice;
  for (const DeviceVariable& variable : variables_.on(part.event.device)) {
    event.flags = static_cast<std::uint16_t>(kReads | (variable.constant ? 0 : kWrites));
    event.address = variable.begin;
    part.arguments.push_back(event);
  }
}

namespace {

/// Where no memory is: what the kernel was given (no bytes), or touched.
Event nowhere(const Event& launch, const TouchedRange& range) {
  Event event = launch;
  event.kind = EventKind::kLaunchArg;
  event.space = Space::kDevice;
  event.flags = static_cast<std::uint16_t>(kPlain | access_of(range));
  if (range.begin == range.end) event.flags |= kReads;
  set_bytes(event, range);
  return event;
}

}  // namespace

/// Buffers that the launch wrote and did not read come first. Those it was given, or reached by
/// addresses in memory, come last and count as read: on other data they might be.
std::vector<Event> Recorder::touched_buffers(const OpenCall::Part& part,
                                             const std::vector<TouchedRange>& touched) const {
  std::vector<Event> outputs;
  std::vector<Event> others;
  std::map<std::uint64_t, std::uint64_t> parameters;  // by the allocation's begin; from 1
  const auto add = [&](Event event, std::uint64_t address) {
    const auto allocation = memory_.find(address);
    if (!allocation) return;  // a variable that no copy named, say
    if (const auto given = parameters.find(allocation->begin); given != parameters.end())
      event.source = given->second;
    event.address = address;
    event.space = allocation->space;
    if (allocation->device >= 0) event.device = allocation->device;
    const bool output = event.space == Space::kDevice && event.bytes != 0 &&
                        (event.flags & (kReads | kWrites | kStrided)) == kWrites;
    (output ? outputs : others).push_back(event);
  };
  for (const Event& given : part.arguments)
    if (const auto allocation = memory_.find(given.address))
      parameters.try_emplace(allocation->begin, given.source);
  Event event = part.event;
  event.kind = EventKind::kLaunchArg;
  for (const TouchedRange& range : touched) {
    if (!range.in_block) others.push_back(nowhere(part.event, range));
    if (!range.in_block || (!range.reads && !range.writes)) continue;
    Event its = event;
    its.flags = access_of(range);
    set_bytes(its, range);
    if (!range.every_byte) its.flags |= kReads;  // it may have left some as they were
    if (range.every_byte && range.plain) its.flags |= kPlain;
    add(its, range.begin);
  }
  event.flags = kReads;
  std::set<std::uint64_t> reached;  // allocations
  for (const TouchedRange& range : touched)
    if (const auto allocation = memory_.find(range.begin); allocation &&
                                                           allocation->space == Space::kDevice &&
                                                           reached.insert(allocation->begin).second)
      add(event, range.begin);
  for (const Event& given : part.arguments)
    if (!memory_.find(given.address) &&
        std::ranges::none_of(others, [&](const Event& e) { return e.address == given.address; }))
      others.push_back(given);
  outputs.insert(outputs.end(), others.begin(), others.end());
  return outputs;
}

bool Recorder::may_hold_addresses(const CopyCall& transfer, const SideMemory& from) const {
  // Once kernels can reach anything, it stays so: the engine need not be told again.
  return !addresses_seen_.load(std::memory_order_relaxed) && from.readable_host && from.known &&
         transfer.extent(transfer.source) >= sizeof(void*);
}

}  // namespace xfer::tracer
