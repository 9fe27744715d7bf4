#include "detect/pending_uses.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "order/host_lesson.h"

namespace xfer {

void PendingUses::see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory) {
  switch (event.kind) {
    case EventKind::kCopy: return copied(event, now, order, memory);
    case EventKind::kSet: return filled(event, now, order, memory);
    case EventKind::kLaunchArg:
      if ((event.flags & kPlain) != 0)
        touched_.push_back(event);
      else if (memory.find(event.address) == nullptr)
        visible_launch_ = event.correlation;
      return;
    case EventKind::kAlloc:
    case EventKind::kFree: note_pinned(event); break;
    default: break;
  }
  learn(event, order);
  if (event.kind == EventKind::kLaunch) launched(event, now, order, memory);
  if (event.kind == EventKind::kAlloc || event.kind == EventKind::kFree) close_freed(event, memory);
}

void PendingUses::learn(const Event& event, StreamOrder& order) {
  if (empty()) return;
  const HostLesson lesson(event, order, event.correlation == visible_launch_);
  if (lesson.is_empty()) return;
  for (Uses& uses : uses_)
    std::erase_if(uses,
                  [&](const PendingUse& pending) { return lesson.covers(pending.work, order); });
}

void PendingUses::note_pinned(const Event& event) {
  if ((event.flags & kSuballocation) != 0) return;
  if (event.kind == EventKind::kFree)
    pinned_.erase(event.address);
  else if (event.space == Space::kPinned)
    pinned_[event.address] = event.address + event.bytes;
}

ByteRange PendingUses::pinned_around(std::uint64_t address) const {
  const auto next = pinned_.upper_bound(address);
  if (next == pinned_.begin()) return {};
  const auto& [begin, end] = *std::prev(next);
  return address < end ? ByteRange{begin, end} : ByteRange{};
}

namespace {

/// One side of a copy or fill, or what a kernel touches.
struct TouchedMemory {
  std::optional<ByteRange> bytes;  ///< nothing: some of `whole`
  ByteRange whole;
  Space space;
  std::uint64_t allocation = 0;
};

/// False: nobody can race with what is done there, or it is not known to be memory.
bool find_memory(TouchedMemory* place, ShadowMap& memory, const StreamOrder& order) {
  const std::uint64_t extent = place->whole.end - place->whole.begin;
  if (extent == 0) return false;
  if (is_reached_by_both(place->space)) return true;
  if (place->space != Space::kDevice || order.has_one_stream()) return false;
  const Allocation* const allocation = memory.find(place->whole.begin, extent);
  if (allocation != nullptr) place->allocation = allocation->id;
  return allocation != nullptr;
}

TouchedMemory memory_at(std::uint64_t begin, std::uint64_t extent, Space space,
                        std::optional<ByteRange> bytes) {
  return {bytes, {begin, begin + extent}, space};
}

void set_source(PendingUse* use, const TouchedMemory& place) {
  use->source = place.bytes.value_or(place.whole);
  use->source_allocation = place.allocation;
  use->is_vague |= !place.bytes;
}
void set_destination(PendingUse* use, const TouchedMemory& place) {
  use->destination = place.bytes.value_or(place.whole);
  use->destination_allocation = place.allocation;
  use->is_vague |= !place.bytes;
}

}  // namespace

// The addresses belong to other memory now, or will; or the program's own allocator hands the same
// memory out again.
void PendingUses::close_freed(const Event& event, ShadowMap& memory) {
  const auto close = [&](PendingUse& pending, ByteRange& side, std::uint64_t& allocation) {
    if (allocation == 0) return;
    const Allocation* const there = memory.find(side.begin);
    const std::uint64_t now = there != nullptr ? there->id : 0;
    if (now == allocation) return;
    if ((event.flags & kSuballocation) == 0) {
      side = {};
      allocation = 0;
      return;
    }
    pending.is_given_back = true;
    allocation = now;
  };
  for (Uses& uses : uses_) {
    for (PendingUse& pending : uses) {
      close(pending, pending.source, pending.source_allocation);
      close(pending, pending.destination, pending.destination_allocation);
    }
    std::erase_if(uses, [](const PendingUse& pending) {
      return pending.source.end == 0 && pending.destination.end == 0;
    });
  }
}

void PendingUses::launched(const Event& launch, Time now, StreamOrder& order, ShadowMap& memory) {
  const StreamId stream = order.stream_of(launch);
  for (const Event& touched : touched_) {
    if (touched.correlation != launch.correlation || !order.is_known(stream)) continue;
    const auto bytes = bytes_at_address(touched);
    if (!bytes) continue;
    TouchedMemory place =
        memory_at(touched.address, extent_at_address(touched), touched.space, bytes);
    if (!find_memory(&place, memory, order)) continue;
    PendingUse made;
    made.call = launch;
    made.call.bytes = touched.bytes;
    made.work = {stream, now};
    made.kind = (touched.flags & kAsync) != 0 ? PendingUse::Kind::kCopy : PendingUse::Kind::kKernel;
    made.oldest = launch.correlation;
    if ((touched.flags & kReads) != 0) set_source(&made, place);
    if ((touched.flags & kWrites) != 0) set_destination(&made, place);
    add(std::move(made));
  }
  touched_.clear();
}

void PendingUses::copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory) {
  if (copy.bytes == 0) return;
  if (is_between_all_work(copy))
    for (Uses& uses : uses_) uses.clear();
  if ((copy.flags & kAsync) == 0) return learn(copy, order);
  if (is_between_all_work(copy)) return;
  const StreamId stream = order.stream_of(copy);
  if (!order.is_known(stream)) return;
  const bool is_transfer = is_pinned_upload(copy) != is_pinned_download(copy);
  TouchedMemory to =
      memory_at(copy.address, extent_at_address(copy), copy.space, bytes_at_address(copy));
  TouchedMemory from =
      memory_at(copy.source, extent_at_source(copy), copy.source_space, bytes_at_source(copy));
  PendingUse made;
  made.call = copy;
  made.work = {stream, now};
  made.kind = is_transfer ? PendingUse::Kind::kTransfer : PendingUse::Kind::kCopy;
  if (find_memory(&to, memory, order)) set_destination(&made, to);
  if ((copy.flags & kTakesSource) == 0 && find_memory(&from, memory, order))
    set_source(&made, from);
  made.oldest = copy.correlation;
  add(std::move(made));
}

void PendingUses::filled(const Event& fill, Time now, StreamOrder& order, ShadowMap& memory) {
  learn(fill, order);
  const bool is_on_device = fill.space == Space::kDevice;
  const StreamId stream = order.stream_of(fill);
  // Of device memory, no fill waits.
  if (fill.bytes == 0 || !order.is_known(stream) || ((fill.flags & kAsync) == 0 && !is_on_device))
    return;
  TouchedMemory place =
      memory_at(fill.address, extent_at_address(fill), fill.space, bytes_at_address(fill));
  if (!find_memory(&place, memory, order)) return;
  PendingUse made;
  made.call = fill;
  made.work = {stream, now};
  set_destination(&made, place);
  made.oldest = fill.correlation;
  add(std::move(made));
}

void PendingUses::add(PendingUse use) {
  if (use.source.end == 0 && use.destination.end == 0) return;
  Uses& uses = of(use.kind);
  // Each of a kernel's touches of host memory is known by its correlation.
  const bool on_host =
      use.is_kernel() && std::max(use.source_allocation, use.destination_allocation) == 0;
  if (!on_host)
    std::erase_if(uses, [&](const PendingUse& pending) {
      if (!pending.does_as(use)) return false;
      if (!use.is_kernel()) use.oldest = pending.oldest;
      return true;
    });
  if (uses.size() >= kMost[static_cast<std::size_t>(use.kind)]) uses.pop_front();
  uses.push_back(std::move(use));
}

template <class Matches>
const PendingUse* PendingUses::first(const Uses& uses, Matches matches) {
  const auto found = std::find_if(uses.begin(), uses.end(), matches);
  return found != uses.end() ? &*found : nullptr;
}

const PendingUse* PendingUses::find(Side side, const ByteRange& range) const {
  return first(of(PendingUse::Kind::kTransfer), [&](const PendingUse& pending) {
    return !pending.is_vague && (pending.*side).overlaps(range);
  });
}

const PendingUse* PendingUses::find(std::uint64_t correlation, Side side,
                                    const ByteRange& range) const {
  const auto is_it = [&](const PendingUse& pending) {
    return pending.call.correlation == correlation && (pending.*side).overlaps(range);
  };
  const auto stands_for_it = [&](const PendingUse& pending) {
    return !pending.is_kernel() && pending.oldest <= correlation &&
           correlation <= pending.call.correlation && (pending.*side).overlaps(range);
  };
  for (const Uses& uses : uses_)
    if (const PendingUse* const found = first(uses, is_it)) return found;
  for (const Uses& uses : uses_)
    if (const PendingUse* const found = first(uses, stands_for_it)) return found;
  return nullptr;
}

const PendingUse* PendingUses::find_on_host(const ByteRange& range) const {
  for (const Uses& uses : uses_)
    if (const PendingUse* const found = first(uses, [&](const PendingUse& use) {
          return (use.source_allocation == 0 && use.source.overlaps(range)) ||
                 (use.destination_allocation == 0 && use.destination.overlaps(range));
        }))
      return found;
  return nullptr;
}

const PendingUse* PendingUses::find_unordered(Side side, Meets meets, const ByteRange& range,
                                              const Event& event, StreamOrder& order,
                                              Counts counts) const {
  if (empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  for (const Uses& uses : uses_)
    if (const PendingUse* const found = first(uses, [&](const PendingUse& pending) {
          return !pending.is_vague && ((pending.*side).*meets)(range) && counts(pending) &&
                 !order.done_before(pending.work, stream);
        }))
      return found;
  return nullptr;
}

void PendingUses::forget(const PendingUse& use) {
  Uses& uses = of(use.kind);
  std::erase_if(uses, [&](const PendingUse& its) { return &its == &use; });
}

}  // namespace xfer
