#include "detect/needless_sync.h"

#include <algorithm>

namespace xfer {

namespace {
constexpr std::size_t kMostLandings = 64;  // of which it is told
}

void NeedlessSync::see(const Event& event) {
  if (event.kind == EventKind::kHostClock) took_the_time(event.thread);
  if (event.kind == EventKind::kUnseen) return unseen_.push_back(event.correlation);
  if (!is_call(event.kind)) return;
  if (clock_runs_) read_clock(event);
  switch (event.kind) {
    case EventKind::kLaunchArg:
      if (scene_.memory.find(event.address) == nullptr)
        (event.space == Space::kManaged ? managed_launch_ : visible_launch_) = event.correlation;
      break;
    case EventKind::kSync:
      if ((event.flags & kAsync) == 0) {
        charge_idle(event.thread);
        sync(event);
      } else {
        give_up(event);  // a query, or the time of an event, that the wait was for
      }
      break;
    case EventKind::kCopy:
      if (event.bytes == 0) break;
      [[fallthrough]];
    case EventKind::kLaunch:
    case EventKind::kSet: work(event); break;
    case EventKind::kEventRecord:
      work(event);
      start_clock(event);
      break;
    case EventKind::kFree:
      // An allocator that keeps its memory gives a block to later work of the stream at once.
      if ((event.flags & kSuballocation) == 0) give_up(event);
      break;
    case EventKind::kHostFunction: work(event); [[fallthrough]];
    case EventKind::kHostAccess:
    case EventKind::kScopeBegin:
    case EventKind::kScopeEnd: give_up(event); break;
    default: break;
  }
  unseen_.clear();
}

void NeedlessSync::sync(const Event& event) {
  if (event.sync == SyncScope::kEvent) return give_up(event);
  if (!waits_again(event)) give_up(event);
  const std::vector<Work> under_way = scene_.order.under_way(event);
  if (under_way.empty()) {
    // A device that never had any work is being initialised.
    if (scene_.order.ever_worked(event)) idle_.push_back(event);
    return;
  }
  std::erase_if(visible_, [&](const Work& work) { return scene_.order.host_knows(work); });
  std::erase_if(landing_,
                [&](const Landing& landing) { return scene_.order.host_knows(landing.work); });
  // The host may have waited for work whose results it may see, on whatever stream.
  if (visible_.empty())
    candidates_.push_back({event, under_way, landing_, 0, last_kernels_[event.device], 0});
}

// Its waits since the one before may be there for that.
void NeedlessSync::took_the_time(std::uint32_t thread) {
  std::erase_if(candidates_,
                [&](const Candidate& candidate) { return candidate.sync.thread == thread; });
  std::erase_if(idle_, [&](const Event& sync) { return sync.thread == thread; });
}

// No clock was read since.
void NeedlessSync::charge_idle(std::uint32_t thread) {
  std::erase_if(idle_, [&](const Event& sync) {
    if (sync.thread != thread) return false;
    charge_idle(sync);
    return true;
  });
}

void NeedlessSync::charge_idle(const Event& sync) {
  const Confidence confidence =
      scene_.options.by_xfertrace ? Confidence::kProven : Confidence::kLookAlike;
  scene_.groups.charge(Rule::kNeedlessSync, confidence, Reason::kNothingUnderWay, sync,
                       {1, 0, duration_ns(sync), 0, duration_ns(sync)}, 0);
}

void NeedlessSync::finish() {
  for (const Event& sync : idle_) charge_idle(sync);
}

// An event's time depends on the waits around it, unless the host waits for the event right away:
// then the event would be where it is without the wait before.
void NeedlessSync::start_clock(const Event& record) {
  const StreamId stream = scene_.order.stream_of(record);
  std::erase_if(candidates_, [&](Candidate& candidate) {
    if (candidate.sync.thread != record.thread || !comes_before(candidate, stream))
      return candidate.sync.thread == record.thread || candidate.sync.device == record.device;
    candidate.clock = record.event_id;
    clock_runs_ = true;
    return false;
  });
}

void NeedlessSync::read_clock(const Event& event) {
  clock_runs_ = false;
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    if (candidate.clock == 0) return false;
    if (event.kind == EventKind::kSync && event.sync == SyncScope::kEvent &&
        (event.flags & kAsync) == 0 && event.event_id == candidate.clock &&
        event.thread == candidate.sync.thread && is_unseen(candidate.brought))
      charge(candidate, event);
    return true;
  });
}

// Work is given to a device: in order after what was waited for, or the wait was needed.
void NeedlessSync::work(const Event& event) {
  if (event.kind == EventKind::kLaunch) {
    last_kernels_[event.device] = event.name;
    for (Candidate& candidate : candidates_)
      if (candidate.next_kernel == 0) candidate.next_kernel = event.name;
  }
  const StreamId stream = scene_.order.stream_of(event);
  if (waits_again(event)) return;
  // Another thread's device-only work is in order there, as PyTorch's backward passes are.
  const bool by_any_thread = stays_on_device(event);
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    return (candidate.sync.thread != event.thread && !by_any_thread) ||
           !comes_before(candidate, stream);
  });
  if (lands(event) && landing_.size() < kMostLandings)
    return landing_.push_back({{stream, scene_.now}, event.correlation});
  if (!shows_the_host(event)) return;
  const Work now{stream, scene_.now};
  const auto same = std::find_if(visible_.begin(), visible_.end(),
                                 [&](const Work& work) { return work.stream == stream; });
  if (same != visible_.end())
    *same = now;
  else
    visible_.push_back(now);
}

bool NeedlessSync::stays_on_device(const Event& event) const {
  if (event.kind == EventKind::kCopy && scene_.memory.find(event.source) == nullptr) return false;
  return event.kind != EventKind::kHostFunction && event.kind != EventKind::kEventRecord &&
         !shows_the_host(event);
}

bool NeedlessSync::lands(const Event& event) const {
  if (event.kind == EventKind::kLaunch)
    return event.correlation == managed_launch_ && !shows_the_host(event);
  return event.kind == EventKind::kCopy && (event.flags & (kAsync | kStrided)) == kAsync &&
         event.space == Space::kPinned && scene_.memory.find(event.source) != nullptr;
}

bool NeedlessSync::is_unseen(const std::vector<Landing>& brought) const {
  return std::all_of(brought.begin(), brought.end(), [&](const Landing& landing) {
    return std::find(unseen_.begin(), unseen_.end(), landing.correlation) != unseen_.end();
  });
}

bool NeedlessSync::shows_the_host(const Event& event) const {
  switch (event.kind) {
    case EventKind::kLaunch:
      if (event.space == Space::kDevice) return false;
      return (event.flags & kArgumentsOnly) == 0 || (event.flags & kMayTouchAll) != 0 ||
             event.correlation == visible_launch_;
    case EventKind::kSet: return scene_.memory.find(event.address) == nullptr;
    case EventKind::kCopy:
      // An asynchronous copy with the host and a wait are one copy that waits, as tensor libraries
      // make it.
      return (event.flags & kAsync) != 0 && (scene_.memory.find(event.source) == nullptr ||
                                             scene_.memory.find(event.address) == nullptr);
    case EventKind::kEventRecord: return false;  // that it is over, the host asks
    default: return true;
  }
}

bool NeedlessSync::covers(const Event& event, const Candidate& candidate) const {
  if (event.thread != candidate.sync.thread) return false;
  const StreamId stream = scene_.order.stream_of(event);
  if (event.kind == EventKind::kSync && event.sync == SyncScope::kDevice)
    return event.device == candidate.sync.device;
  return comes_before(candidate, stream);
}

bool NeedlessSync::comes_before(const Candidate& candidate, StreamId stream) const {
  return std::all_of(candidate.waited_for.begin(), candidate.waited_for.end(),
                     [&](const Work& work) { return scene_.order.ordered_before(work, stream); });
}

// A sync, or a copy to the host that waits.
bool NeedlessSync::waits_again(const Event& event) {
  if (event.kind == EventKind::kCopy &&
      ((event.flags & kAsync) != 0 || scene_.memory.find(event.source) == nullptr ||
       scene_.memory.find(event.address) != nullptr))
    return false;
  if (event.kind != EventKind::kCopy && event.kind != EventKind::kSync) return false;
  const auto covered =
      std::find_if(candidates_.begin(), candidates_.end(),
                   [&](const Candidate& candidate) { return covers(event, candidate); });
  if (covered == candidates_.end() || !is_unseen(covered->brought)) return false;
  charge(*covered, event);
  candidates_.erase(covered);
  return true;
}

bool NeedlessSync::may_be_timing(const Candidate& candidate) const {
  return !scene_.options.by_xfertrace &&
         (candidate.next_kernel == 0 || candidate.kernel == candidate.next_kernel);
}

void NeedlessSync::charge(const Candidate& candidate, const Event& next) {
  if (may_be_timing(candidate)) return;
  const Event& sync = candidate.sync;
  const std::uint64_t gap = next.begin_ns > sync.end_ns ? next.begin_ns - sync.end_ns : 0;
  const Reason reason = candidate.brought.empty() ? Reason::kNothingToSee : Reason::kLookedAtLater;
  scene_.groups.charge(Rule::kNeedlessSync, Confidence::kLookAlike, reason, sync,
                       {1, 0, duration_ns(sync), 0, std::min(duration_ns(sync), gap)}, next.site);
}

// Something happened that the wait may have been for.
void NeedlessSync::give_up(const Event& event) {
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    return candidate.sync.thread == event.thread || candidate.sync.device == event.device;
  });
}

void NeedlessSync::forget() {
  candidates_.clear();
  clock_runs_ = false;
  visible_.clear();
  landing_.clear();
  idle_.clear();
  unseen_.clear();
}

}  // namespace xfer
