#include "unread_downloads.h"

namespace xfer::tracer {
namespace {

Event told_of(const Event& copy, EventKind kind) {
  Event event;
  event.kind = kind;
  event.thread = copy.thread;
  event.correlation = copy.correlation;
  event.address = copy.address;
  event.bytes = copy.bytes;
  event.begin_ns = event.end_ns = copy.end_ns;
  return event;
}

}  // namespace

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
  copies_.insert_or_assign(copy.address, Copy{copy});
  if ((copy.flags & kAsync) != 0)
    young_.insert(copy.address);
  else
    young_.erase(copy.address);
}

bool UnreadDownloads::is_untouched(const Event& copy) const {
  return !use_.touched(copy.address, copy.bytes);
}

std::vector<Event> UnreadDownloads::so_far() {
  std::vector<Event> unseen;
  if (!use_.touched) return unseen;
  const std::lock_guard lock(mutex_);
  std::erase_if(young_, [&](std::uint64_t address) {
    const auto found = copies_.find(address);
    if (found == copies_.end() || !is_untouched(found->second.event)) return true;
    unseen.push_back(told_of(found->second.event, EventKind::kUnseen));
    return ++found->second.asked >= kMostAsked;
  });
  return unseen;
}

std::vector<Event> UnreadDownloads::gone(std::uint64_t begin, std::uint64_t end) {
  std::vector<Event> unread;
  const std::lock_guard lock(mutex_);
  auto at = copies_.upper_bound(begin);
  if (at != copies_.begin()) --at;
  while (at != copies_.end() && at->first < end) {
    const Event& copy = at->second.event;
    const std::uint64_t copy_end = copy.address + copy.bytes;
    if (copy_end <= begin) {
      ++at;
      continue;
    }
    // Of one that goes in part, the rest may be looked at yet.
    const bool whole = begin <= copy.address && copy_end <= end;
    if (whole && is_untouched(copy)) unread.push_back(told_of(copy, EventKind::kUnread));
    at = copies_.erase(at);
  }
  return unread;
}

CopySide UnreadDownloads::untouched(CopySide side) const {
  if (use_.other_view) side.address = use_.other_view(side.address);
  return side;
}

}  // namespace xfer::tracer
