#include "detect/pending_copies.h"

#include <algorithm>

namespace xfer {

void PendingCopies::see(const Event& event, Time now, StreamOrder& order, ShadowMap& memory) {
  switch (event.kind) {
    case EventKind::kCopy: return copied(event, now, order, memory);
    case EventKind::kLaunchArg:
      if (memory.find(event.address) == nullptr) visible_launch_ = event.correlation;
      return;
    default: break;
  }
  if (copies_.empty()) return;
  switch (event.kind) {
    case EventKind::kSync: return synced(event, order);
    case EventKind::kAlloc:
    case EventKind::kFree:
      if ((event.flags & (kAsync | kSuballocation)) == 0) clear();
      break;
    case EventKind::kLaunch:
      if ((event.flags & kMayTouchAll) != 0 || event.correlation == visible_launch_) {
        const StreamId stream = order.stream_of(event);
        std::erase_if(copies_, [&](const PendingCopy& pending) {
          return order.done_before(pending.work, stream);
        });
      }
      break;
    case EventKind::kStreamDestroy: {
      const StreamId stream = order.stream_of(event);
      std::erase_if(copies_,
                    [&](const PendingCopy& pending) { return pending.work.stream == stream; });
      break;
    }
    case EventKind::kHostFunction: clear(); break;
    default: break;
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
  const StreamId stream = order.stream_of(copy);
  if ((copy.flags & kAsync) == 0) {
    std::erase_if(copies_, [&](const PendingCopy& pending) {
      return order.done_before(pending.work, stream);
    });
    return;
  }
  const bool upload =
      copy.source_space == Space::kPinned && memory.find(copy.address, copy.bytes) != nullptr;
  const bool download =
      copy.space == Space::kPinned && memory.find(copy.source, copy.bytes) != nullptr;
  if (upload == download || (copy.flags & kStrided) != 0 || !order.is_known(stream)) return;
  const std::uint64_t begin = upload ? copy.source : copy.address;
  if (copies_.size() >= kMost) copies_.pop_front();
  copies_.push_back({copy, {stream, now}, upload, begin, begin + copy.bytes});
}

const PendingCopy* PendingCopies::find(bool upload, std::uint64_t address,
                                       std::uint64_t bytes) const {
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const PendingCopy& pending) {
    return pending.upload == upload && pending.overlaps(address, bytes);
  });
  return found != copies_.end() ? &*found : nullptr;
}

const PendingCopy* PendingCopies::find_unordered(bool upload, std::uint64_t address,
                                                 std::uint64_t bytes, const Event& event,
                                                 StreamOrder& order) const {
  if (copies_.empty()) return nullptr;
  const StreamId stream = order.stream_of(event);
  if (!order.is_known(stream)) return nullptr;
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const PendingCopy& pending) {
    return pending.upload == upload && pending.overlaps(address, bytes) &&
           !order.done_before(pending.work, stream);
  });
  return found != copies_.end() ? &*found : nullptr;
}

void PendingCopies::forget(const PendingCopy& copy) {
  std::erase_if(copies_, [time = copy.work.time](const PendingCopy& pending) {
    return pending.work.time == time;
  });
}

}  // namespace xfer
