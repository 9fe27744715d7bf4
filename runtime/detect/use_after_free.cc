#include "detect/use_after_free.h"

namespace xfer {

void UseAfterFree::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy:
    case EventKind::kSet:
      if (event.bytes == 0) break;
      use(event, event.address,
          event.kind == EventKind::kSet ? Reason::kFilledFreed : Reason::kCopiedToFreed, false);
      if (event.kind == EventKind::kCopy) use(event, event.source, Reason::kCopiedFromFreed, false);
      break;
    case EventKind::kLaunchArg: is_given(event); break;
    case EventKind::kHostAccess:
      if (const FreedRange* range = freed(event.address))
        charge(event, *range, Reason::kHostTouchesFreed, Confidence::kProven);
      break;
    case EventKind::kFree: freed_too_early(event); break;
    default: break;
  }
}

void UseAfterFree::is_given(const Event& argument) {
  const bool of_graph = (argument.flags & kMayTouchAll) != 0;
  const bool of_copy = of_graph && (argument.flags & kReads) != 0;
  // One past the end of an allocation is an address that belongs to it.
  if (!of_copy && argument.address != 0 && scene_.memory.find(argument.address - 1) != nullptr)
    return;
  if (of_graph) return graph_uses(argument);
  if (const FreedRange* range = freed(argument.address))
    charge(argument, *range, Reason::kLaunchedOnFreed, Confidence::kLookAlike);
}

void UseAfterFree::failed(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy:
      use(event, event.source, Reason::kCopiedFromFreed, true);
      [[fallthrough]];
    case EventKind::kSet:
      use(event, event.address,
          event.kind == EventKind::kSet ? Reason::kFilledFreed : Reason::kCopiedToFreed, true);
      break;
    case EventKind::kFree:
      if (const FreedRange* range = freed(event.address);
          range != nullptr && range->begin == event.address && !range->by_reset)
        charge(event, *range, Reason::kFreedTwice, Confidence::kProven);
      break;
    default: break;
  }
}

void UseAfterFree::use(const Event& event, std::uint64_t address, Reason reason, bool refused) {
  const FreedRange* const range = freed(address);
  if (range != nullptr && (refused || range->in_stream_order))
    charge(event, *range, reason, Confidence::kProven);
}

void UseAfterFree::freed_too_early(const Event& free) {
  if ((free.flags & kAsync) == 0 || (free.flags & (kSuballocation | kMayTouchAll)) != 0) return;
  const Allocation* const going = scene_.memory.find(free.address);
  if (going == nullptr || going->begin != free.address) return;
  const ByteRange whole{going->begin, going->end};
  for (const auto side : {&PendingUse::source, &PendingUse::destination}) {
    const PendingUse* use =
        scene_.pending.find_unordered(side, &ByteRange::overlaps, whole, free, scene_.order);
    if (use == nullptr) use = scene_.pending.find_kernel(side, nullptr, whole, free, scene_.order);
    if (use == nullptr) continue;
    Event call = free;
    call.device = going->device;
    call.source_device = -1;
    call.bytes = use->call.bytes;
    scene_.groups.charge(Rule::kUseAfterFree, Confidence::kProven, Reason::kFreedPending, call,
                         {1, call.bytes, 0, 0, 0}, use->call.site, use->is_kernel);
    return;
  }
}

// A node of a graph names it, which was made when it was still there.
void UseAfterFree::graph_uses(const Event& place) {
  const FreedRange* const range =
      scene_.memory.find(place.address) == nullptr ? scene_.freed.find(place.address) : nullptr;
  if (range == nullptr || range->by_reset) return;
  const bool used = (place.flags & (kReads | kWrites)) != 0;
  charge(place, *range, Reason::kGraphOnFreed, used ? Confidence::kProven : Confidence::kLookAlike);
}

// Where pinned memory was, plain memory may lie by now.
const FreedRange* UseAfterFree::freed(std::uint64_t address) const {
  const FreedRange* const range =
      scene_.memory.find(address) == nullptr ? scene_.freed.find(address) : nullptr;
  return range != nullptr && range->device >= 0 ? range : nullptr;
}

void UseAfterFree::charge(const Event& event, const FreedRange& range, Reason reason,
                          Confidence confidence) {
  Event call = event;
  call.device = range.device;
  call.source_device = -1;
  scene_.groups.charge(
      Rule::kUseAfterFree, confidence, reason, call,
      {1, event.kind == EventKind::kHostAccess ? 0 : event.bytes, duration_ns(event), 0, 0},
      range.free_site);
}

}  // namespace xfer
