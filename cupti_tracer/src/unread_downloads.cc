#include "unread_downloads.h"

#include <array>
#include <atomic>
#include <iterator>

namespace xfer::tracer {
namespace {

/// Where plain memory begins that is watched: one address of each place in the table.
constinit std::array<std::atomic<std::uint64_t>, 1024> watched_begins{};

std::atomic<std::uint64_t>& place_of(std::uint64_t address) {
  constexpr std::uint64_t kMixed = 0x9e3779b97f4a7c15;
  return watched_begins[(address * kMixed) >> 54];
}

}  // namespace

Event told_of(const Event& call, EventKind kind) {
  Event event;
  event.kind = kind;
  event.thread = call.thread;
  event.correlation = call.correlation;
  event.address = call.address;
  event.bytes = call.bytes;
  event.begin_ns = event.end_ns = call.end_ns;
  return event;
}

bool UnreadDownloads::is_watched(const Event& copy) const {
  return use_.touched && copy.space == Space::kPinned && copy.source_space == Space::kDevice &&
         (copy.flags & (kStrided | kCaptured)) == 0;
}

void UnreadDownloads::begins(const Event& copy) {
  if (copy.space == Space::kPageable) return begins_pageable(copy);
  if (is_watched(copy)) use_.clear(copy.address, copy.bytes);
}

bool UnreadDownloads::may_begin_at(std::uint64_t address) {
  return address != 0 && place_of(address).load(std::memory_order_relaxed) == address;
}

void UnreadDownloads::made(const Event& copy) {
  if (copy.space == Space::kPageable) return made_pageable(copy);
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

bool UnreadDownloads::is_watched_plain(const Event& copy) const {
  return pageable_ && copy.bytes >= kLeastPageable && copy.source_space == Space::kDevice &&
         (copy.flags & (kStrided | kCaptured)) == 0;
}

UnreadDownloads::Copies::iterator UnreadDownloads::first_sharing(
    const AccessedPages::Marked& pages) {
  auto first = copies_.lower_bound(pages.begin);
  while (first != copies_.begin() && std::prev(first)->second.shares_page_with(pages)) --first;
  return first;
}

// The copy will write to pages that others share, and their marks are cleared after it.
void UnreadDownloads::begins_pageable(const Event& copy) {
  if (!is_watched_plain(copy)) return;
  const std::lock_guard lock(mutex_);
  const auto pages = AccessedPages::pages_of(copy.address, copy.bytes);
  const auto first = first_sharing(pages);
  std::vector<AccessedPages::Marked> shared;
  for (auto at = first; at != copies_.end() && at->second.shares_page_with(pages); ++at)
    shared.push_back(*at->second.pages);
  if (shared.empty()) return;
  auto at = first;
  for (const bool accessed : accessed_.accessed(shared))
    (at++)->second.quiet_before = accessed ? 0 : copy.correlation;
}

void UnreadDownloads::made_pageable(const Event& copy) {
  if (!is_watched_plain(copy)) return;
  const std::lock_guard lock(mutex_);
  auto pages = AccessedPages::pages_of(copy.address, copy.bytes);
  auto at = first_sharing(pages);
  while (at != copies_.end() && at->second.shares_page_with(pages)) {
    if (at->second.quiet_before == copy.correlation) {
      ++at;
      continue;
    }
    AccessedPages::release(*at->second.pages);
    at = copies_.erase(at);
  }
  const auto is_alike = [&](const Copy& other) {
    return other.pages && other.pages->kind == pages.kind &&
           (other.pages->touches(pages) || other.pages->shares_page_with(pages));
  };
  if ((at != copies_.end() && is_alike(at->second)) ||
      (at != copies_.begin() && is_alike(std::prev(at)->second)))
    pages.kind = AccessedPages::Kind::kSequential;
  if (!accessed_.mark(pages)) {
    unwatched_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  copies_.insert_or_assign(copy.address, Copy{copy, 0, pages});
  place_of(copy.address).store(copy.address, std::memory_order_relaxed);
}

void UnreadDownloads::release(const AccessedPages::Marked& pages) {
  AccessedPages::release(pages);
  for (auto at = first_sharing(pages); at != copies_.end() && at->second.shares_page_with(pages);
       ++at)
    AccessedPages::keep(*at->second.pages);
}

void UnreadDownloads::judge(const std::vector<Copy>& pageable) {
  std::vector<AccessedPages::Marked> pages;
  for (const Copy& copy : pageable) pages.push_back(*copy.pages);
  const std::vector<bool> accessed = accessed_.accessed(pages);
  for (std::size_t i = 0; i < pageable.size(); ++i) {
    release(pages[i]);
    if (!accessed[i]) unread_.push_back(told_of(pageable[i].event, EventKind::kUnread));
  }
}

void UnreadDownloads::take(std::uint64_t begin, std::uint64_t end) {
  std::vector<Copy> pageable;
  auto at = copies_.upper_bound(begin);
  if (at != copies_.begin()) --at;
  while (at != copies_.end() && at->first < end) {
    const Copy& copy = at->second;
    const std::uint64_t copy_end = copy.event.address + copy.event.bytes;
    if (copy_end <= begin) {
      ++at;
      continue;
    }
    // Of one that goes in part, the rest may be looked at yet.
    const bool whole = begin <= copy.event.address && copy_end <= end;
    if (whole && copy.pages)
      pageable.push_back(copy);
    else if (whole && is_untouched(copy.event))
      unread_.push_back(told_of(copy.event, EventKind::kUnread));
    at = copies_.erase(at);
  }
  if (!pageable.empty()) judge(pageable);
}

std::vector<Event> UnreadDownloads::gone(std::uint64_t begin, std::uint64_t end) {
  const std::lock_guard lock(mutex_);
  take(begin, end);
  has_news_.store(false, std::memory_order_relaxed);
  return std::exchange(unread_, {});
}

void UnreadDownloads::freed(std::uint64_t address) {
  place_of(address).store(0, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  const auto found = copies_.find(address);
  if (found != copies_.end() && found->second.pages)
    take(address, address + found->second.event.bytes);
  has_news_.store(!unread_.empty(), std::memory_order_relaxed);
}

CopySide UnreadDownloads::untouched(CopySide side) const {
  if (use_.other_view) side.address = use_.other_view(side.address);
  return side;
}

}  // namespace xfer::tracer
