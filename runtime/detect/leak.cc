#include "detect/leak.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace xfer {

void Leak::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kLaunch: ++launches_; break;
    case EventKind::kCopy:
      use(event.address);
      use(event.source);
      break;
    case EventKind::kSet:
    case EventKind::kLaunchArg:
    case EventKind::kHostAccess: use(event.address); break;
    case EventKind::kAlloc:
      if ((event.flags & kSuballocation) != 0) {
        // The memory that blocks are cut from is a pool, kept on purpose.
        if (const auto pool = holding(event.address); pool != live_.end()) live_.erase(pool);
      } else if ((event.flags & kRegistered) == 0) {
        live_.insert_or_assign(event.address,
                               Live{event, launches_, made_[{event.site, event.device}]++});
      }
      break;
    case EventKind::kFree:
      if ((event.flags & (kSuballocation | kMayTouchAll)) == 0) live_.erase(event.address);
      // A reset frees pinned memory as well.
      if (event.sync == SyncScope::kDevice)
        std::erase_if(live_,
                      [](const auto& entry) { return entry.second.alloc.space == Space::kPinned; });
      break;
    default: break;
  }
}

Leak::LiveMap::iterator Leak::holding(std::uint64_t address) {
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return live_.end();
  const auto at = std::prev(after);
  return address - at->first < at->second.alloc.bytes ? at : live_.end();
}

void Leak::use(std::uint64_t address) {
  const auto at = holding(address);
  if (at == live_.end() || at->second.used_much_later) return;
  Live& live = at->second;
  live.used_much_later = made_[{live.alloc.site, live.alloc.device}] > live.before + 2;
}

void Leak::finish() {
  if (scene_.ending == Ending::kBrokenOff || lost_some_) return;
  std::map<Line, std::vector<Live>> by_line;
  for (const auto& [address, live] : live_)
    if (live.alloc.site != 0 && !live.used_much_later)
      by_line[{live.alloc.site, live.alloc.device}].push_back(live);
  for (auto& [line, piled] : by_line) {
    std::sort(piled.begin(), piled.end(), [](const Live& a, const Live& b) {
      return std::tie(a.launches, a.alloc.begin_ns, a.alloc.address) <
             std::tie(b.launches, b.alloc.begin_ns, b.alloc.address);
    });
    unsigned rounds = 1;
    for (std::size_t i = 1; i < piled.size(); ++i)
      if (piled[i].launches != piled[i - 1].launches) ++rounds;
    // Allocations of a program's start, or of its first step, are not repeated later.
    const bool goes_on =
        piled.front().launches * 2 < launches_ && piled.back().launches * 4 >= launches_ * 3;
    if (rounds < scene_.options.least_leaked || !goes_on) continue;
    for (const Live& live : piled)
      scene_.groups.charge(Rule::kLeak, Confidence::kProven, Reason::kNeverFreed, live.alloc,
                           {1, live.alloc.bytes, 0, 0, 0}, 0);
  }
}

}  // namespace xfer
