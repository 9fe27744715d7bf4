#include "detect/sync_in_loop.h"

#include <utility>

namespace xfer {
namespace {

constexpr std::size_t kMostSites = 4096;
constexpr unsigned kMostLookedAt = 256;
constexpr std::uint64_t kOfALoss = 4;  // bytes

}  // namespace

void SyncInLoop::see(const Event& event) {
  if (const auto open = last_.find(event.thread); open != last_.end()) {
    if (event.kind == EventKind::kSync && (event.flags & kAsync) == 0)
      lines_[open->second].cost.host_ns += duration_ns(event);
    if (is_call(event.kind)) last_.erase(open);
  }
  switch (event.kind) {
    case EventKind::kCopy:
      if (scene_.memory.find(event.address) != nullptr)
        set_by_host(event);
      else
        read_back(event);
      break;
    case EventKind::kSet: set_by_host(event); break;
    case EventKind::kLaunch:
      if (launches_.size() < kMostSites || launches_.contains(event.site)) {
        Launches& its = launches_[event.site];
        its.before = std::exchange(its.last, scene_.now);
      }
      break;
    default: break;
  }
}

void SyncInLoop::read_back(const Event& event) {
  if (event.site == 0 || event.bytes == 0 || event.bytes > scene_.options.small_bytes) return;
  const Allocation* const from = scene_.memory.find(event.source);
  if (from == nullptr) return;
  Line& line = lines_[event.site];
  const bool works =
      line.cost.count == 0 || Scene::at(scene_.last_launch, from->device) > line.last;
  if (works && line.cost.count != 0 && line.looked_at < kMostLookedAt) {
    ++line.looked_at;
    if (is_one_step(line.last)) ++line.steps;
  }
  line.copy = event;
  line.copy.device = from->device;
  line.last = scene_.now;
  if (!works) return;
  line.cost += {1, event.bytes, duration_ns(event), 0, 0};
  is_flag_.try_emplace(event.source, false);
  if ((event.flags & kAsync) != 0) last_[event.thread] = event.site;
}

bool SyncInLoop::is_one_step(Time from) const {
  std::size_t sites = 0;
  std::size_t again = 0;
  for (const auto& [site, its] : launches_) {
    sites += its.last > from ? 1 : 0;
    again += its.before > from ? 1 : 0;
  }
  return again * 3 <= sites * 2;  // layers are alike, too
}

void SyncInLoop::set_by_host(const Event& event) {
  const std::uint64_t reach = scene_.options.small_bytes;
  auto read = is_flag_.lower_bound(event.address < reach ? 0 : event.address - reach + 1);
  for (; read != is_flag_.end() && read->first < event.address + event.bytes; ++read)
    read->second = true;
}

void SyncInLoop::finish() {
  for (auto& [site, line] : lines_) {
    const Cost& cost = line.cost;
    const bool may_be_index = line.copy.bytes > kOfALoss;
    if (is_flag_[line.copy.source] || cost.count < scene_.options.least_read_back ||
        line.steps * 2 < line.looked_at ||
        (may_be_index && cost.host_ns < cost.count * scene_.options.least_hidden_wait_ns))
      continue;
    scene_.groups.charge(Rule::kSyncInLoop, Confidence::kProven, Reason::kReadBackEachStep,
                         line.copy, cost, 0);
  }
}

}  // namespace xfer
