#include "detect/sync_in_loop.h"

#include <utility>

namespace xfer {
namespace {

constexpr std::size_t kMostSites = 4096;
constexpr std::size_t kMostJoined = 256;  // lines
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
  flags_[event.source].allocation = from->id;
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
  const Allocation* const in = scene_.memory.find(event.address);
  auto read = flags_.lower_bound(event.address < reach ? 0 : event.address - reach + 1);
  for (; read != flags_.end() && read->first < event.address + event.bytes; ++read)
    if (in != nullptr && in->id == read->second.allocation) read->second.is_set = true;
}

/// Reads by this site and by those that are the same to the program: Python comes to one statement
/// by several ways of its own.
SyncInLoop::Line SyncInLoop::whole_line(std::uint32_t site) const {
  Line sum = lines_.at(site);
  if (lines_.size() > kMostJoined || !scene_.options.same_path) return sum;
  for (const auto& [other, line] : lines_) {
    // Printing, which is let pass, reads much in a statement that may read something else.
    if (other == site || line.copy.bytes != sum.copy.bytes ||
        line.cost.count > 4 * lines_.at(site).cost.count || !scene_.options.same_path(site, other))
      continue;
    sum.cost += line.cost;
    sum.looked_at += line.looked_at;
    sum.steps += line.steps;
  }
  return sum;
}

bool SyncInLoop::is_each_step(const Line& line) const {
  const bool may_be_index = line.copy.bytes > kOfALoss;
  if (line.cost.count < scene_.options.least_read_back || line.steps * 2 < line.looked_at)
    return false;
  return !may_be_index ||
         (line.cost.count >= scene_.options.least_index_back &&
          line.cost.host_ns >= line.cost.count * scene_.options.least_hidden_wait_ns);
}

void SyncInLoop::finish() {
  for (const auto& [site, line] : lines_) {
    if (flags_[line.copy.source].is_set) continue;
    if (!is_each_step(line) && !is_each_step(whole_line(site))) continue;
    scene_.groups.charge(Rule::kSyncInLoop, Confidence::kProven, Reason::kReadBackEachStep,
                         line.copy, line.cost, 0);
  }
}

}  // namespace xfer
