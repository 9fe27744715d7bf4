#include "detect/pinned_wait.h"

#include <iterator>

namespace xfer {

void PinnedWait::see(const Event& event) {
  if (!is_call(event.kind)) return;
  if (event.space == Space::kPinned && (event.flags & kSuballocation) == 0) {
    if (event.kind == EventKind::kAlloc)
      pinned_[event.address] = {event.address + event.bytes, event.site};
    else if (event.kind == EventKind::kFree)
      pinned_.erase(event.address);
  }
  const auto last = last_.find(event.thread);
  if (last == last_.end()) return;
  const TransferPtr copy = std::move(last->second);
  last_.erase(last);
  if (waits_for(event, copy->event.stream) && copy->charged == nullptr) waited(copy->event, event);
}

bool PinnedWait::upload(const CopyView& copy) {
  const Event& event = copy.transfer->event;
  if (copy.transfer->kind == TransferKind::kUpload && (event.flags & kAsync) != 0 &&
      event.source_space == Space::kPinned && event.bytes >= kLeastBytes && event.site != 0)
    last_.insert_or_assign(event.thread, copy.transfer);
  return false;
}

void PinnedWait::waited(const Event& copy, const Event& sync) {
  const auto [at, is_new] = lines_.try_emplace({copy.site, sync.site});
  Line& line = at->second;
  const bool again = !is_new && line.copy.source == copy.source;
  const std::uint64_t wait = duration_ns(sync);
  (again ? line.again[pinned_at(copy.source)] : line.cost) +=
      {1, copy.bytes, duration_ns(copy) + wait, 0, wait};
  line.copy = copy;
}

/// Where that memory was; 0 where it is not known.
std::uint32_t PinnedWait::pinned_at(std::uint64_t address) const {
  const auto next = pinned_.upper_bound(address);
  if (next == pinned_.begin()) return 0;
  const Block& block = std::prev(next)->second;
  return address < block.end ? block.site : 0;
}

void PinnedWait::forget() {
  pinned_.clear();
  last_.clear();
}

void PinnedWait::finish() {
  for (const auto& [sites, line] : lines_) {
    Cost cost = line.cost;
    for (const auto& [site, again] : line.again)
      if (scene_.options.pins_anew && site != 0 && scene_.options.pins_anew(site)) cost += again;
    if (cost.count >= kLeastWaits)
      scene_.groups.charge(Rule::kNeedlessSync, Confidence::kLookAlike, Reason::kWaitedForPinned,
                           line.copy, cost, sites.second);
  }
}

}  // namespace xfer
