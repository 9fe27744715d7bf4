#include "detect/upload_bursts.h"

#include <algorithm>

namespace xfer {
namespace {

/// Another lies at it or beside it, as none does that was allocated by itself.
bool touches_another(const std::set<std::uint64_t>& sources, const Event& event) {
  const auto next = sources.lower_bound(event.source);
  return (next != sources.end() && *next - event.source <= event.bytes) ||
         (next != sources.begin() && event.source - *std::prev(next) <= event.bytes);
}

}  // namespace

void UploadBursts::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kCopy:
      if (event.bytes == 0) break;
      if (scene_.memory.find(event.source) == nullptr &&
          scene_.memory.find(event.address) != nullptr)
        upload(event);
      else
        end_all();
      break;
    case EventKind::kLaunch:
    case EventKind::kSet:
    case EventKind::kScopeBegin:
    case EventKind::kScopeEnd: end_all(); break;
    default: break;
  }
}

void UploadBursts::upload(const Event& event) {
  if (event.site == 0) return;
  const auto open = open_.try_emplace({event.thread, event.site}).first;
  Burst& burst = open->second;
  const bool fits = event.bytes <= scene_.options.small_copy_bytes &&
                    (event.flags & kStrided) == 0 && !burst.places.contains(event.address) &&
                    (burst.cost.count == 0 || event.device == burst.last.device);
  if (!fits) {
    end(burst);
    open_.erase(open);
    return;
  }
  if (touches_another(burst.sources, event)) ++burst.touching;
  if (burst.places.size() < kMostRows) {
    burst.sources.insert(event.source);
    burst.places.insert(event.address);
  }
  burst.smallest = burst.cost.count == 0 ? event.bytes : std::min(burst.smallest, event.bytes);
  burst.largest = std::max(burst.largest, event.bytes);
  burst.sizes = (burst.sizes ^ event.bytes) * 0x9e3779b97f4a7c15ull;
  burst.last = event;
  burst.cost += {1, event.bytes, duration_ns(event), 0, 0};
}

void UploadBursts::end(const Burst& burst) {
  Cost cost = burst.cost;
  if (cost.count < scene_.options.least_in_a_row) return;
  cost.saving_ns = cost.host_ns - cost.host_ns / cost.count;
  Line& line = lines_[{burst.last.site, burst.last.device}];
  const bool equal = burst.smallest == burst.largest;
  if (line.bursts == 0) {
    line.sizes = burst.sizes;
    line.smallest = burst.smallest;
  }
  line.fields = line.fields && !equal && burst.sizes == line.sizes;
  line.rows = line.rows || (equal && cost.count >= kManyRows && burst.touching * 2 >= cost.count);
  ++line.bursts;
  line.last = burst.last;
  line.cost += cost;
  line.smallest = std::min(line.smallest, burst.smallest);
  line.largest = std::max(line.largest, burst.largest);
}

void UploadBursts::end_all() {
  for (const auto& [key, burst] : open_) end(burst);
  open_.clear();
}

void UploadBursts::finish() {
  end_all();
  for (const auto& [key, line] : lines_) {
    if (line.fields || (line.bursts < kLeastBursts && !line.rows)) continue;
    Event shown = line.last;
    for (const std::uint64_t bytes : {line.smallest, line.largest}) {
      shown.bytes = bytes;
      scene_.groups.charge(Rule::kSmallCopies, Confidence::kLookAlike, Reason::kStackedFirst, shown,
                           bytes == line.largest ? line.cost : Cost{}, 0);
      if (line.smallest == line.largest) break;
    }
  }
}

}  // namespace xfer
