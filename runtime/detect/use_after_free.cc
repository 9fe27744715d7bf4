#include "detect/use_after_free.h"

#include <algorithm>

namespace xfer {
namespace {

bool is_work(EventKind kind) {
  return kind == EventKind::kLaunch || kind == EventKind::kCopy || kind == EventKind::kSet;
}

}  // namespace

void UseAfterFree::see(const Event& event) {
  if (!given_back_.empty() && is_work(event.kind)) charge_given_back();
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
    case EventKind::kFree:
      if ((event.flags & (kSuballocation | kMayTouchAll)) != 0) break;
      freed_too_early(event);
      host_freed_too_early(event);
      break;
    default: break;
  }
}

void UseAfterFree::is_given(const Event& argument) {
  // One past the end of an allocation is an address that belongs to it.
  const auto is_end = [&] {
    return argument.address != 0 && scene_.memory.find(argument.address - 1) != nullptr;
  };
  if ((argument.flags & kMayTouchAll) != 0) {
    const bool of_copy = (argument.flags & kReads) != 0;
    return of_copy || !is_end() ? graph_uses(argument) : void();
  }
  const FreedRange* const range = argument.bytes == 0 ? freed(argument.address) : nullptr;
  if (range == nullptr) return;
  const bool is_touched =
      std::any_of(scene_.arguments.begin(), scene_.arguments.end(), [&](const Event& touched) {
        return touched.correlation == argument.correlation && touched.bytes != 0 &&
               freed(touched.address) == range;
      });
  if (is_touched || !is_end())
    charge(argument, *range, Reason::kLaunchedOnFreed,
           is_touched ? Confidence::kProven : Confidence::kLookAlike);
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
  if ((free.flags & kAsync) == 0) return;
  const Allocation* const going = scene_.memory.find(free.address);
  if (going == nullptr || going->begin != free.address) return;
  const ByteRange whole{going->begin, going->end};
  for (const auto side : {&PendingUse::source, &PendingUse::destination}) {
    const PendingUse* const use =
        scene_.pending.find_unordered(side, &ByteRange::overlaps, whole, free, scene_.order);
    if (use == nullptr) continue;
    Event call = free;
    call.device = going->device;
    call.source_device = -1;
    call.bytes = use->call.bytes;
    scene_.groups.charge(Rule::kUseAfterFree, Confidence::kProven, Reason::kFreedPending, call,
                         {1, call.bytes, 0, 0, 0}, use->call.site, use->early());
    return;
  }
}

// CUDA waits for all devices then, as far as anybody saw. Of no matter is what a program frees when
// it comes to its end, and gives devices no more to do.
void UseAfterFree::host_freed_too_early(const Event& free) {
  if (free.space != Space::kPinned || free.address == 0) return;
  const PendingUse* const use =
      scene_.pending.find_on_host(scene_.pending.pinned_around(free.address));
  if (use != nullptr) given_back_.push_back({free, *use});
}

void UseAfterFree::charge_given_back() {
  for (const auto& [free, use] : given_back_) {
    Event call = free;
    call.device = call.source_device = -1;
    call.bytes = use.call.bytes;
    scene_.groups.charge(Rule::kUseAfterFree, Confidence::kLookAlike, Reason::kHostFreedPending,
                         call, {1, call.bytes, 0, 0, 0}, use.call.site, use.early());
  }
  given_back_.clear();
}

// A node of a graph names it, which was made when it was still there.
void UseAfterFree::graph_uses(const Event& place) {
  const bool used = (place.flags & (kReads | kWrites)) != 0;
  if (place.space != Space::kUnknown)  // other memory is there now
    return charge(place, {.device = place.device}, Reason::kGraphOnFreed, Confidence::kLookAlike);
  const FreedRange* const range =
      scene_.memory.find(place.address) == nullptr ? scene_.freed.find(place.address) : nullptr;
  if (range == nullptr || range->by_reset) return;
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
