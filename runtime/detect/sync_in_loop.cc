#include "detect/sync_in_loop.h"

#include <algorithm>
#include <utility>

namespace xfer {
namespace {

constexpr std::size_t kMostSites = 4096;
constexpr std::size_t kMostJoined = 256;  // lines
constexpr unsigned kMostLookedAt = 256;
constexpr std::uint64_t kOfALoss = 4;  // bytes
constexpr std::size_t kInside = 4;     // call sites
constexpr std::size_t kMostWaits = 4096;

}  // namespace

void SyncInLoop::see(const Event& event) {
  if (is_call(event.kind)) close(event);
  switch (event.kind) {
    case EventKind::kLaunchArg:
      if ((event.flags & kWrites) != 0 && event.bytes - 1 < scene_.options.small_bytes) {
        if (makers_.size() == kMostSites) makers_.clear();
        makers_[event.address] = event.name;
      }
      break;
    case EventKind::kCopy:
      if (scene_.memory.find(event.address) != nullptr)
        sent(event);
      else
        read_back(event);
      break;
    case EventKind::kContent:
      if (event.correlation == last_read_.correlation) {
        last_read_.hash_lo = event.hash_lo;
        last_read_.hash_hi = event.hash_hi;
        last_read_.is_known = true;
      }
      break;
    case EventKind::kSet: set_by_host(event); break;
    case EventKind::kLaunch:
      kernels_[event.device] = event.name;
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
  if (std::exchange(line.unplaced_sets, unplaced_sets_) != unplaced_sets_) ++line.may_be_set;
  line.copy = event;
  line.copy.device = from->device;
  line.last = scene_.now;
  if (!works) return;
  flags_[event.source].allocation = from->id;
  if (scene_.options.is_choice && scene_.options.is_choice(made_by(event, from->device)))
    ++line.choices;
  last_read_ = {event.site,    event.correlation, event.bytes,
                event.hash_lo, event.hash_hi,     (event.flags & kHashed) != 0};
  const Cost cost{1, event.bytes, duration_ns(event), 0, 0};
  if ((event.flags & kAsync) != 0)
    open_[event.thread] = {event.site, event.stream, cost, event.begin_ns};
  else
    add(line, cost, {event.begin_ns, event.end_ns});
}

std::uint32_t SyncInLoop::made_by(const Event& read, std::int16_t device) {
  const auto maker = makers_.find(read.source);
  return maker != makers_.end() && maker->second != 0 ? maker->second : kernels_[device];
}

bool SyncInLoop::waits_for(const Event& sync, const Open& read) {
  const bool for_the_event =
      sync.sync == SyncScope::kEvent && read.recorded != 0 && sync.event_id == read.recorded;
  return xfer::waits_for(sync, read.stream) || (is_wait(sync) && for_the_event);
}

void SyncInLoop::close(const Event& event) {
  const auto found = open_.find(event.thread);
  if (found == open_.end()) return;
  Open& read = found->second;
  if (event.kind == EventKind::kEventRecord) {
    if (event.stream == read.stream) read.recorded = event.event_id;
    return;
  }
  if (waits_for(event, read)) {
    read.cost.host_ns += duration_ns(event);
    add(lines_[read.site], read.cost, {read.begin_ns, event.end_ns});
  }
  open_.erase(found);
}

bool SyncInLoop::is_one_step(Time from) const {
  std::size_t sites = 0;
  std::size_t again = 0;
  Time begin = scene_.now;  // of what came again
  Time end = from;
  for (const auto& [site, its] : launches_) {
    sites += its.last > from ? 1 : 0;
    if (its.before <= from) continue;
    ++again;
    begin = std::min(begin, its.before);
    end = std::max(end, its.last);
  }
  if (again * 3 <= sites * 2) return true;
  const auto inside =
      static_cast<std::size_t>(std::ranges::count_if(launches_, [&](const auto& launch) {
        const Launches& its = launch.second;
        return its.before <= from && begin < its.last && its.last < end;
      }));
  return inside >= kInside && inside * 8 >= sites;
}

void SyncInLoop::sent(const Event& upload) {
  set_by_host(upload);
  if (last_read_.is_known && (upload.flags & kHashed) != 0 && upload.bytes == last_read_.bytes &&
      upload.hash_lo == last_read_.hash_lo && upload.hash_hi == last_read_.hash_hi) {
    ++lines_[last_read_.site].sent_back;
    last_read_.is_known = false;
  }
}

void SyncInLoop::set_by_host(const Event& event) {
  const std::uint64_t reach = scene_.options.small_bytes;
  if ((event.flags & (kMayTouchAll | kAsync)) == kMayTouchAll && event.bytes <= reach)
    ++unplaced_sets_;
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
    sum.choices += line.choices;
    sum.sent_back += line.sent_back;
  }
  return sum;
}

void SyncInLoop::add(Line& line, const Cost& cost, Span wait) {
  line.cost += cost;
  if (line.waits.size() < kMostWaits) line.waits.push_back(wait);
}

bool SyncInLoop::drains_the_device(const Line& line) const {
  if (!scene_.options.times_are_measured || line.cost.count < scene_.options.least_drains)
    return false;
  std::uint64_t drained = 0;
  for (const Span& wait : line.waits) drained += scene_.work.drained_ns(line.copy.device, wait);
  return drained * 100 >= scene_.in_use_ns() * scene_.options.least_drained_percent;
}

bool SyncInLoop::is_each_step(const Line& line) const {
  const bool may_be_index = line.copy.bytes > kOfALoss;
  if (line.steps * 2 < line.looked_at) return false;
  if (line.cost.count < scene_.options.least_read_back)
    return !may_be_index && drains_the_device(line);
  if (may_be_index && line.choices * 2 > line.cost.count && line.sent_back * 2 < line.cost.count)
    return false;
  return !may_be_index ||
         (line.cost.count >= scene_.options.least_index_back &&
          line.cost.host_ns >= line.cost.count * scene_.options.least_hidden_wait_ns);
}

void SyncInLoop::finish() {
  for (const auto& [site, line] : lines_) {
    if (flags_[line.copy.source].is_set || line.may_be_set * 2 > line.cost.count) continue;
    if (!is_each_step(line) && !is_each_step(whole_line(site))) continue;
    scene_.groups.charge(Rule::kSyncInLoop, Confidence::kProven, Reason::kReadBackEachStep,
                         line.copy, line.cost, 0);
  }
}

}  // namespace xfer
