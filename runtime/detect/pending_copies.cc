#include "detect/pending_copies.h"

#include <algorithm>
#include <iterator>

namespace xfer {

void PendingCopies::see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory) {
  switch (event.kind) {
    case EventKind::kCopy: return copied(event, now, order, memory);
    case EventKind::kLaunchArg:
      if (memory.find(event.address) == nullptr) visible_launch_ = event.correlation;
      return;
    case EventKind::kAlloc:
    case EventKind::kFree: note_pinned(event); break;
    default: break;
  }
  if (copies_.empty()) return;
  switch (event.kind) {
    case EventKind::kSync: return synced(event, order);
    case EventKind::kSet:  // of host memory, it waits unless it is asked not to
      if ((event.flags & kAsync) == 0 && event.space == Space::kPinned) host_waited(event, order);
      break;
    case EventKind::kAlloc:
    case EventKind::kFree:
      if ((event.flags & (kAsync | kSuballocation)) == 0)
        clear();
      else
        close_freed(memory);
      break;
    case EventKind::kLaunch:
      if ((event.flags & kMayTouchAll) != 0 || event.correlation == visible_launch_)
        host_waited(event, order);
      break;
    case EventKind::kHostFunction: clear(); break;
    default: break;
  }
}

void PendingCopies::note_pinned(const Event& event) {
  if ((event.flags & kSuballocation) != 0) return;
  if (event.kind == EventKind::kFree)
    pinned_.erase(event.address);
  else if (event.space == Space::kPinned)
    pinned_[event.address] = event.address + event.bytes;
}

ByteRange PendingCopies::pinned_around(std::uint64_t address) const {
  const auto next = pinned_.upper_bound(address);
  if (next == pinned_.begin()) return {};
  const auto& [begin, end] = *std::prev(next);
  return address < end ? ByteRange{begin, end} : ByteRange{};
}

// The host knows, or may know, when the event's own work is done.
void PendingCopies::host_waited(const Event& event, StreamOrder& order) {
  const StreamId stream = order.stream_of(event);
  std::erase_if(
      copies_, [&](const PendingCopy& pending) { return order.done_before(pending.work, stream); });
}

// What lies there now, or will, is other memory.
void PendingCopies::close_freed(ShadowMap& memory) {
  for (PendingCopy& pending : copies_) {
    ByteRange& side = pending.on_device();
    const Allocation* const now = memory.find(side.begin);
    if (now == nullptr || now->id != pending.allocation) side = {};
  }
}

void PendingCopies::synced(const Event& sync, StreamOrder& order) {
  const bool of_event = sync.sync == SyncScope::kEvent;
  if (of_event && !order.knows_event(sync)) return clear();
  const StreamId stream = of_event ? 0 : order.stream_of(sync);
  std::erase_if(copies_, [&](const PendingCopy& pending) {
    if (order.host_knows(pending.work)) return true;
    return !of_event && sync.sync == SyncScope::kStream && !order.is_known(stream);
  });
}

void PendingCopies::copied(const Event& copy, Time now, StreamOrder& order, ShadowMap& memory) {
  if (copy.bytes == 0) return;
  if ((copy.flags & kAsync) == 0) return host_waited(copy, order);
  const StreamId stream = order.stream_of(copy);
  const Allocation* const to =
      copy.source_space == Space::kPinned ? memory.find(copy.address, copy.bytes) : nullptr;
  const Allocation* const from =
      copy.space == Space::kPinned ? memory.find(copy.source, copy.bytes) : nullptr;
  const bool upload = to != nullptr;
  if (upload == (from != nullptr) || (copy.flags & kStrided) != 0 || !order.is_known(stream))
    return;
  const PendingCopy made{copy,
                         {stream, now},
                         upload,
                         {copy.source, copy.source + copy.bytes},
                         {copy.address, copy.address + copy.bytes},
                         upload ? to->id : from->id};
  std::erase_if(copies_, [&](const PendingCopy& pending) {
    return pending.work.stream == stream && pending.source == made.source &&
           pending.destination == made.destination;
  });
  if (copies_.size() >= kMost) copies_.pop_front();
  copies_.push_back(made);
}

const PendingCopy* PendingCopies::find(Side side, const ByteRange& range) const {
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const PendingCopy& pending) {
    return (pending.*side).overlaps(range);
  });
  return found != copies_.end() ? &*found : nullptr;
}

const PendingCopy* PendingCopies::find_unordered(Side side, Meets meets, const ByteRange& range,
                                                 const Event& event, StreamOrder& order) const {
  if (copies_.empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const PendingCopy& pending) {
    return ((pending.*side).*meets)(range) && !order.done_before(pending.work, stream);
  });
  return found != copies_.end() ? &*found : nullptr;
}

void PendingCopies::forget(const PendingCopy& copy) {
  std::erase_if(copies_, [time = copy.work.time](const PendingCopy& pending) {
    return pending.work.time == time;
  });
}

}  // namespace xfer
