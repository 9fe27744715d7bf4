#include "detect/freed_memory.h"

#include <iterator>

namespace xfer {

void FreedMemory::freed(const Allocation& allocation, const Event& free) {
  FreedRange range;
  range.begin = allocation.begin;
  range.end = allocation.end;
  range.id = allocation.id;
  range.device = allocation.device;
  add(range, free);
}

void FreedMemory::freed_pinned(std::uint64_t begin, std::uint64_t end, const Event& free) {
  FreedRange range;
  range.begin = begin;
  range.end = end;
  range.device = -1;
  add(range, free);
}

void FreedMemory::add(FreedRange range, const Event& free) {
  range.free_site = free.site;
  range.in_stream_order = (free.flags & kAsync) != 0;
  range.by_reset = free.sync == SyncScope::kDevice;
  ranges_.insert_or_assign(range.begin, range);
  oldest_first_.push_back({range.begin, range.id});
  if (oldest_first_.size() <= kMost) return;
  const Entry oldest = oldest_first_.front();
  oldest_first_.pop_front();
  if (const auto at = ranges_.find(oldest.begin); at != ranges_.end() && at->second.id == oldest.id)
    ranges_.erase(at);
}

void FreedMemory::allocated(const Event& alloc) {
  auto at = ranges_.lower_bound(alloc.address);
  if (at != ranges_.begin() && std::prev(at)->second.end > alloc.address) --at;
  while (at != ranges_.end() && at->first < alloc.address + alloc.bytes) at = ranges_.erase(at);
}

const FreedRange* FreedMemory::find(std::uint64_t address) const {
  const auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return nullptr;
  const FreedRange& range = std::prev(next)->second;
  return address < range.end ? &range : nullptr;
}

void FreedMemory::forget() {
  ranges_.clear();
  oldest_first_.clear();
}

}  // namespace xfer
