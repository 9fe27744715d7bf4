#include "grid/runner.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "grid/services.h"

namespace xfer::emulator::grid {
namespace {

constexpr unsigned kPatience = 64;  // turns of a loop before it yields; waits before others may go
constexpr std::size_t kKeptWorkers = 2048;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
// Threads that wait for each other now and then get further, and yet nothing may come of it.
constexpr std::uint64_t kYieldsEach = 16;
constexpr std::uint64_t kYieldsAtLeast = 512;
// Rounds in which all that is left yields, before it is taken to wait for a block that has not
// started.
constexpr unsigned kRounds = 4;
// Of a grid that only the host can help; then it stops, for the host to go on.
constexpr unsigned kNaps = 16;
constexpr unsigned kShortNaps = 256;
constexpr unsigned kNapsOfThePatient = kShortNaps + 100;  // 100 us each

}  // namespace

void Runner::start(const Launch& launch, SharedGrid& grid) {
  launch_ = &launch;
  begin(launch, grid);
  time_left_ = std::chrono::seconds(launch.seconds);
  yields_ = 0;
  naps_ = rounds_ = 0;
  moved_ = false;
  work_ = 0;
  enough_ = launch.make_warp && launch.warp == nullptr ? launch.enough : kNever;
  asks_for_warps_ = false;
  idle_.clear();
  for (const auto& worker : workers_) {
    worker->make_local(launch.code->local_bytes);
    idle_.push_back(worker.get());
  }
}

void Runner::go_on(bool patient) {
  asks_for_warps_ = false;
  most_naps_ = patient ? kNapsOfThePatient : kNaps;
  naps_ = 0;
  stopped_ = false;
  grid().begin_work();
  set_grid_in_progress(this);
  {
    const TimeLimit limit(time_left_);
    limit_ = &limit;
    try {
      run_blocks();
    } catch (const std::bad_alloc&) {
      fail("there is not enough memory for the stacks of the waiting threads");
    }
    time_left_ = limit.left();
  }
  set_grid_in_progress(nullptr);
  if (naps_ == 0) grid().end_work();
}

void Runner::run_blocks() {
  while (!failed() && !stopped_ && !asks_for_warps_) {
    if (!ready_.empty()) {
      Worker& worker = *ready_.front();
      ready_.pop_front();
      resume(worker);
    } else if (!paused_.empty() && paused_.front()->home != starting_) {
      end_pauses();
    } else if (starting_ != nullptr) {
      current_ = &idle_worker();
      current_->fiber.start([](void* self) { static_cast<Runner*>(self)->run_threads(); }, this);
      put_aside(*current_);
    } else if (resident_.empty()) {
      if (work_ >= enough_)
        ask_for_warps();
      else if (!begin_block())
        return;
    } else if (launch_->workspace == 0 || !begin_block()) {  // a cooperative launch: all at once
      take_turn();
    }
  }
}

// On a fiber: threads that have not started, one after the other, as long as nobody is in a hurry.
void Runner::run_threads() {
  Worker& worker = *current_;
  while (ready_.empty() && starting_ != nullptr) {
    Resident& block = *starting_;
    block.start_next(worker);
    if (!block.has_more()) start_next_block();
    worker.patience = worker.turns = kPatience;
    got_further();
    set_in_code(true);
    if (worker.state != nullptr)
      worker.go_on(&worker, worker.state);
    else
      launch_->code->run(&worker);
    set_in_code(false);
    work_ += launch_->code->length + std::exchange(worker.turned, 0);
    block.finish(worker);
    queue_released();
    got_further();
    worker.home = nullptr;
    if (block.done()) {
      std::erase(resident_, &block);
      free_.push_back(&block);
      grid().end_block();
      return;
    }
  }
}

/// Once: there may be none.
void Runner::ask_for_warps() {
  asks_for_warps_ = true;
  enough_ = kNever;
}

bool Runner::begin_block() {
  const std::optional<std::uint64_t> index = grid().begin_block();
  if (!index) return false;
  Resident& block = free_block();
  const dim3 size = launch_->grid;
  const dim3 position(static_cast<unsigned>(*index % size.x),
                      static_cast<unsigned>(*index / size.x % size.y),
                      static_cast<unsigned>(*index / size.x / size.y));
  block.begin(*launch_, services(), position,
              static_cast<std::uint32_t>(*index % kMultiprocessors));
  begin_threads(block);
  return true;
}

void Runner::take_over(Interrupted& interrupted) {
  Resident& block = free_block();
  block.resume(*launch_, services(), interrupted);
  begin_threads(block);
}

void Runner::start_next_block() {
  starting_ = to_start_.empty() ? nullptr : to_start_.front();
  if (starting_ != nullptr) to_start_.pop_front();
}

Resident& Runner::free_block() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Resident>(meetings_, released_));
    free_.push_back(all_.back().get());
  }
  return *free_.back();
}

void Runner::begin_threads(Resident& block) {
  free_.pop_back();
  resident_.push_back(&block);
  if (starting_ == nullptr)
    starting_ = &block;
  else
    to_start_.push_back(&block);
}

void Runner::resume(Worker& worker) {
  current_ = &worker;
  worker.fiber.resume();
  if (!failed()) put_aside(worker);
}

void Runner::take_turn() {
  if (round_.empty()) {
    if (unlock_stuck()) return;
    if (limit_->over())
      return fail_at(next_round_.empty() ? nullptr : next_round_.front(), kTooLong);
    const std::uint64_t enough =
        std::max<std::uint64_t>(kYieldsAtLeast, kYieldsEach * next_round_.size());
    rounds_ = moved_ ? 0 : rounds_ + 1;
    if (rounds_ >= kRounds || yields_ > enough) start_or_nap();
    moved_ = false;
    round_.swap(next_round_);
    return;
  }
  Worker& worker = *round_.front();
  round_.pop_front();
  worker.home->go_on(worker);
  resume(worker);
}

void Runner::start_or_nap() {
  yields_ = rounds_ = 0;
  if (begin_block()) return;
  if (naps_++ == 0) grid().end_work();
  // The threads may be waiting for the host.
  if (naps_ >= most_naps_ && !grid().somebody_works())
    stopped_ = true;
  else if (naps_ < kShortNaps)
    sched_yield();
  else
    usleep(100);
}

bool Runner::unlock_stuck() {
  for (Resident* const block : resident_) {
    if (!block->stuck()) continue;
    if (!block->unlock()) fail_at(block->first_waiting(), kNobodyComes);
    queue_released();
    return true;
  }
  return false;
}

void Runner::fail_at(const Worker* waiting, const char* what) {
  stopped_at(waiting != nullptr ? waiting->at : nullptr);
  fail(what);
}

Worker& Runner::idle_worker() {
  if (idle_.empty()) {
    workers_.push_back(std::make_unique<Worker>(*this, launch_->code->local_bytes));
    return *workers_.back();
  }
  Worker* const worker = idle_.back();
  idle_.pop_back();
  return *worker;
}

void Runner::put_aside(Worker& worker) {
  if (worker.home == nullptr) idle_.push_back(&worker);
}

// Stacks that are in the middle of something, and more than the next grid is likely to need.
void Runner::finish() {
  if (failed()) {
    workers_.clear();
    all_.clear();
    meetings_ = MeetingPool();
  } else if (workers_.size() > kKeptWorkers) {
    workers_.resize(kKeptWorkers);
  }
  resident_.clear();
  free_.clear();
  for (const auto& block : all_) free_.push_back(block.get());
  starting_ = nullptr;
  to_start_.clear();
  current_ = nullptr;
  released_.clear();
  ready_.clear();
  paused_.clear();
  round_.clear();
  next_round_.clear();
}

void Runner::wait(Worker& worker) {
  queue_released();
  worker.fiber.leave();
}

void Runner::pass(Worker& worker) {
  queue_released();
  moved_ = true;
  if (--worker.turns != 0) return;
  worker.turns = kPatience;
  next_round_.push_back(&worker);
  worker.fiber.leave();
}

void Runner::yield(Worker& worker) {
  worker.home->rest(worker);
  queue_released();
  ++yields_;
  next_round_.push_back(&worker);
  worker.fiber.leave();
  worker.patience = worker.turns = kPatience;
}

void Runner::pause(Worker& worker) {
  queue_released();
  if (ready_.empty() && paused_.empty() && worker.home != starting_) return;
  paused_.push_back(&worker);
  worker.fiber.leave();
}

/// All others have begun, and have come as far, or wait. A block's first thread goes on first.
void Runner::end_pauses() {
  std::ranges::stable_sort(paused_, {}, [](const Worker* worker) { return worker->number; });
  ready_.insert(ready_.end(), paused_.begin(), paused_.end());
  paused_.clear();
}

// At once, unless they have met so often that it may be all they do.
void Runner::queue_released() {
  for (Worker* const worker : released_) {
    moved_ = true;
    if (--worker->turns != 0) {
      ready_.push_back(worker);
    } else {
      worker->turns = kPatience;
      next_round_.push_back(worker);
    }
  }
  released_.clear();
}

void Runner::got_further() {
  moved_ = true;
  if (naps_ != 0) grid().begin_work();
  yields_ = naps_ = 0;
}

void Runner::leave() {
  set_in_code(false);
  current_->fiber.leave();
  __builtin_unreachable();  // nobody resumes it
}

}  // namespace xfer::emulator::grid
