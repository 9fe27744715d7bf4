#include "unread_downloads.h"

namespace xfer::tracer {

bool UnreadDownloads::is_watched(const Event& copy) const {
  return use_.touched && copy.space == Space::kPinned && copy.source_space == Space::kDevice &&
         (copy.flags & (kStrided | kCaptured)) == 0;
}

void UnreadDownloads::begins(const Event& copy) const {
  if (is_watched(copy)) use_.clear(copy.address, copy.bytes);
}

void UnreadDownloads::made(const Event& copy) {
  if (!is_watched(copy)) return;
  const std::lock_guard lock(mutex_);
  copies_.insert_or_assign(copy.address, copy);
}

std::vector<Event> UnreadDownloads::gone(std::uint64_t begin, std::uint64_t end) {
  std::vector<Event> unread;
  const std::lock_guard lock(mutex_);
  auto at = copies_.upper_bound(begin);
  if (at != copies_.begin()) --at;
  while (at != copies_.end() && at->first < end) {
    const Event& copy = at->second;
    const std::uint64_t copy_end = copy.address + copy.bytes;
    if (copy_end <= begin) {
      ++at;
      continue;
    }
    // Of one that goes in part, the rest may be looked at yet.
    const bool whole = begin <= copy.address && copy_end <= end;
    if (whole && !use_.touched(copy.address, copy.bytes)) {
      Event event;
      event.kind = EventKind::kUnread;
      event.thread = copy.thread;
      event.correlation = copy.correlation;
      event.address = copy.address;
      event.bytes = copy.bytes;
      event.begin_ns = event.end_ns = copy.end_ns;
      unread.push_back(event);
    }
    at = copies_.erase(at);
  }
  return unread;
}

CopySide UnreadDownloads::untouched(CopySide side) const {
  if (use_.other_view) side.address = use_.other_view(side.address);
  return side;
}

}  // namespace xfer::tracer
