#include "grid/resident.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace xfer::emulator::grid {

void Resident::begin(const Launch& launch, const kernels::Services& services, dim3 index,
                     std::uint32_t multiprocessor) {
  threads_ = live_ = launch.threads();
  next_ = waiting_ = 0;
  next_index_ = {0, 0, 0};
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    const unsigned before = std::min(warp * kLanes, threads_);
    const unsigned lanes = std::min(threads_ - before, kLanes);
    warps_[warp].live = lanes == kLanes ? ~0U : (1U << lanes) - 1;
    warps_[warp].stopped = 0;
    warps_[warp].pending.clear();
  }
  for (Barrier& barrier : barriers_) {
    barrier.count = barrier.arrived = barrier.holding = 0;
    barrier.waiting.clear();
  }
  interrupted_ = nullptr;
  frame_ = block_of(launch, services, shared_.reserve(launch.shared_bytes()));
  frame_.index[0] = index.x;
  frame_.index[1] = index.y;
  frame_.index[2] = index.z;
  frame_.multiprocessor = multiprocessor;
}

void Resident::resume(const Launch& launch, const kernels::Services& services, Interrupted& block) {
  std::swap(shared_, block.shared);
  begin(launch, services, block.index, block.multiprocessor);
  interrupted_ = &block;
  for (unsigned thread = 0; thread < threads_; ++thread) {
    if (block.state_of(thread) != nullptr) continue;
    warps_[thread / kLanes].live &= ~(std::uint32_t{1} << thread % kLanes);
    --live_;
  }
  pass_by_ended();
}

void Resident::start_next(Worker& worker) {
  worker.home = this;
  worker.block = &frame_;
  worker.number = next_;
  worker.clock_reads = 0;
  worker.index[0] = next_index_.x;
  worker.index[1] = next_index_.y;
  worker.index[2] = next_index_.z;
  worker.state = nullptr;
  worker.local = worker.local_memory.get();
  if (interrupted_ != nullptr) {
    worker.state = interrupted_->state_of(next_);
    worker.go_on = interrupted_->warps[worker.warp()]->go_on;
    worker.local = interrupted_->warps[worker.warp()]->threads[worker.lane()].local;
  }
  pass_by();
  pass_by_ended();
}

void Resident::pass_by() {
  ++next_;
  if (++next_index_.x != frame_.block_size[0]) return;
  next_index_.x = 0;
  if (++next_index_.y != frame_.block_size[1]) return;
  next_index_.y = 0;
  ++next_index_.z;
}

void Resident::pass_by_ended() {
  while (interrupted_ != nullptr && has_more() && interrupted_->state_of(next_) == nullptr)
    pass_by();
}

void Resident::finish(Worker& worker) {
  let_go(worker);
  Warp& warp = warp_of(worker);
  warp.live &= ~worker.bit();
  --live_;
  if (waiting_ == 0) return;
  // A list of its own: the one that is gone through would change.
  const std::vector<Meeting*> pending = warp.pending;
  for (Meeting* const meeting : pending)
    if (meeting->key.what != MeetingKey::What::kStop &&
        (meeting->key.mask & warp.live & ~meeting->came) == 0)
      complete(warp, meeting, nullptr);
  check_stop(warp);
  for (Barrier& barrier : barriers_)
    if (is_complete(barrier)) complete(barrier, nullptr);
}

void Resident::rest(Worker& worker) {
  let_go(worker);
  Warp& warp = warp_of(worker);
  warp.stopped |= worker.bit();
  check_stop(warp);
}

bool Resident::meet(Worker& worker, const MeetingKey& key, const void* value, std::size_t bytes) {
  let_go(worker);
  worker.clock_reads = 0;
  Warp& warp = warp_of(worker);
  const auto found = std::find_if(warp.pending.begin(), warp.pending.end(),
                                  [&](const Meeting* other) { return other->key == key; });
  Meeting* const meeting = found != warp.pending.end() ? *found : meetings_.take(key);
  if (found == warp.pending.end()) warp.pending.push_back(meeting);
  std::memcpy(meeting->values[worker.lane()], value, bytes);
  meeting->workers[worker.lane()] = &worker;
  meeting->came |= worker.bit();
  ++meeting->readers;
  worker.meeting = meeting;
  if (key.what != MeetingKey::What::kStop && (key.mask & warp.live & ~meeting->came) == 0) {
    complete(warp, meeting, &worker);
    return true;
  }
  wait(worker);
  return false;
}

bool Resident::sync(Worker& worker, std::uint32_t id, std::uint32_t count,
                    std::uint32_t predicate) {
  let_go(worker);
  Barrier& barrier = barriers_[id % kBarriers];
  if (count != 0) barrier.count = count;
  if (predicate != 0) ++barrier.holding;
  barrier.waiting.push_back(&worker);
  if (is_complete(barrier)) {
    complete(barrier, &worker);
    return true;
  }
  wait(worker);
  return false;
}

void Resident::arrive(std::uint32_t id, std::uint32_t count) {
  Barrier& barrier = barriers_[id % kBarriers];
  if (count != 0) barrier.count = count;
  ++barrier.arrived;
  if (is_complete(barrier)) complete(barrier, nullptr);
}

const Worker* Resident::first_waiting() const {
  for (const Barrier& barrier : barriers_)
    if (!barrier.waiting.empty()) return barrier.waiting.front();
  return nullptr;
}

bool Resident::unlock() {
  for (Warp& warp : warps_)
    if (!warp.pending.empty()) {
      complete(warp, warp.pending.front(), nullptr);
      return true;
    }
  return false;
}

void Resident::wait(Worker& worker) {
  ++waiting_;
  Warp& warp = warp_of(worker);
  warp.stopped |= worker.bit();
  check_stop(warp);
}

void Resident::wake(Worker& worker) {
  --waiting_;
  warp_of(worker).stopped &= ~worker.bit();
  released_.push_back(&worker);
}

void Resident::let_go(Worker& worker) {
  if (worker.meeting != nullptr) meetings_.let_go(std::exchange(worker.meeting, nullptr));
}

void Resident::complete(Warp& warp, Meeting* meeting, const Worker* present) {
  std::erase(warp.pending, meeting);
  for_each_lane(meeting->came, [&](unsigned lane) {
    Worker* const worker = meeting->workers[lane];
    if (worker != present) wake(*worker);
  });
}

void Resident::complete(Barrier& barrier, const Worker* present) {
  const auto arrived = static_cast<std::uint32_t>(barrier.waiting.size()) + barrier.arrived;
  for (Worker* const worker : barrier.waiting) {
    worker->tally = {arrived, barrier.holding};
    if (worker != present) wake(*worker);
  }
  barrier.count = barrier.arrived = barrier.holding = 0;
  barrier.waiting.clear();
}

bool Resident::is_complete(const Barrier& barrier) const {
  const auto waiting = static_cast<std::uint32_t>(barrier.waiting.size());
  const std::uint32_t arrived = waiting + barrier.arrived;
  if (arrived == 0) return false;
  // Where all that live wait here nobody else can come, whatever the count says.
  return arrived >= (barrier.count != 0 ? barrier.count : live_) ||
         (waiting != 0 && waiting == live_);
}

void Resident::check_stop(Warp& warp) {
  if ((warp.live & ~warp.stopped) != 0) return;
  for (std::size_t i = 0; i < warp.pending.size();) {
    if (warp.pending[i]->key.what == MeetingKey::What::kStop)
      complete(warp, warp.pending[i], nullptr);
    else
      ++i;
  }
}

}  // namespace xfer::emulator::grid
