#include "grid/warp_runner.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "grid/interrupted.h"
#include "grid/lane_services.h"
#include "grid/runner.h"
#include "grid/shared_memory.h"
#include "machine/fiber.h"
#include "machine/time_limit.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Warp;
using kernels::WarpStop;

constexpr unsigned kLanes = kernels::kLanes;
constexpr unsigned kBarriers = 16;
// Turns that all that is left takes in its loops, before it is taken to wait for what comes only
// when lanes go their own ways, or blocks beside this one.
constexpr unsigned kRoundsInStep = 4096;

/// A warp of the block that runs, and what belongs to its lanes. Used again for each block.
struct Slot {
  Slot() = default;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    std::free(warp.frame);
    std::free(warp.state);
  }

  Warp warp;
  kernels::Thread threads[kLanes];
  std::unique_ptr<std::byte[]> local;
  void* handle = nullptr;

  bool ended() const { return warp.stop == WarpStop::kEnd; }
  bool turns() const { return warp.stop == WarpStop::kTurn; }
};

class WarpRunner final : public GridRun {
 public:
  void start(const Launch& launch, SharedGrid& grid) override;
  void go_on(bool patient) override;
  bool stopped() const override { return leaves_ && threads_->stopped(); }
  bool left_warps() const override { return leaves_; }
  void finish() override;
  [[noreturn]] void leave() override {
    set_in_code(false);
    fiber_->leave();
    __builtin_unreachable();  // nobody resumes it
  }

 private:
  void make_warps();
  void run_warps();
  void run_blocks();
  void run_block();
  bool go_on_with_block();
  void take_turns();
  bool release_barrier(std::uint32_t barriers, std::size_t live);
  bool gather_at(unsigned barrier, std::size_t live);
  void start(Slot& slot);
  void go_on(Slot& slot);
  void leave_lanes();
  void go_on_as_threads();

  const Launch* launch_ = nullptr;
  kernels::Block block_;
  std::unique_ptr<Fiber> fiber_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> released_;
  std::size_t warps_ = 0;
  SharedMemory shared_;
  unsigned rounds_ = 0;  // in which all that was left took turns
  bool leaves_ = false;  // its warps have left, and threads go on
  Interrupted interrupted_;
  std::unique_ptr<Runner> threads_;
};

void WarpRunner::start(const Launch& launch, SharedGrid& grid) {
  launch_ = &launch;
  leaves_ = false;
  begin(launch, grid);
}

void WarpRunner::go_on(bool patient) {
  if (!leaves_) {
    run_warps();
    if (!leaves_ || failed()) return;
    go_on_as_threads();
  }
  threads_->go_on(patient);
}

void WarpRunner::finish() {
  if (!leaves_) return;
  threads_->finish();
  clock().reach(threads_->clock());
}

void WarpRunner::run_warps() {
  const TimeLimit limit(std::chrono::seconds(launch_->seconds));
  try {
    block_ = block_of(*launch_, lane_services(), shared_.reserve(launch_->shared_bytes()));
    make_warps();
    if (!fiber_) fiber_ = std::make_unique<Fiber>();
    set_grid_in_progress(this);
    fiber_->start([](void* self) { static_cast<WarpRunner*>(self)->run_blocks(); }, this);
  } catch (const std::bad_alloc&) {
    fail("there is no memory for the warps of a block");
  }
  set_grid_in_progress(nullptr);
  // Its stack is in the middle of something.
  if (failed()) fiber_.reset(), slots_.clear();
}

void WarpRunner::make_warps() {
  const std::uint32_t threads = launch_->threads();
  const std::uint32_t local = launch_->code->local_bytes;
  warps_ = (threads + kLanes - 1) / kLanes;
  while (slots_.size() < warps_) slots_.push_back(std::make_unique<Slot>());
  for (std::size_t number = 0; number < warps_; ++number) {
    Slot& slot = *slots_[number];
    Warp& warp = slot.warp;
    warp.block = &block_;
    warp.threads = slot.threads;
    warp.number = static_cast<std::uint32_t>(number);
    warp.leaves = 0;
    slot.local = std::make_unique_for_overwrite<std::byte[]>(std::size_t{local} * kLanes);
    warp.lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t thread = warp.number * kLanes + lane;
      if (thread < threads) warp.lanes |= std::uint32_t{1} << lane;
      const std::uint32_t index[3] = {thread % launch_->block.x,
                                      thread / launch_->block.x % launch_->block.y,
                                      thread / launch_->block.x / launch_->block.y};
      kernels::Thread& its = slot.threads[lane];
      its.block = &block_;
      its.number = thread;
      its.local = slot.local.get() + std::size_t{local} * lane;
      warp.local[lane] = reinterpret_cast<std::uintptr_t>(its.local);
      for (unsigned part = 0; part < 3; ++part)
        its.index[part] = warp.index[part][lane] = index[part];
    }
  }
}

void WarpRunner::run_blocks() {
  while (const auto blocks = grid().take_blocks()) {
    const std::uint64_t row = blocks->first / launch_->grid.x;
    block_.index[0] = static_cast<std::uint32_t>(blocks->first % launch_->grid.x);
    block_.index[1] = static_cast<std::uint32_t>(row % launch_->grid.y);
    block_.index[2] = static_cast<std::uint32_t>(row / launch_->grid.y);
    for (std::uint64_t number = blocks->first; number < blocks->end; ++number) {
      block_.multiprocessor = static_cast<std::uint32_t>(number % kMultiprocessors);
      run_block();
      if (failed()) return;
      if (leaves_) return grid().give_back({number + 1, blocks->end});
      if (++block_.index[0] != launch_->grid.x) continue;
      block_.index[0] = 0;
      if (++block_.index[1] != launch_->grid.y) continue;
      block_.index[1] = 0;
      ++block_.index[2];
    }
  }
}

void WarpRunner::run_block() {
  rounds_ = 0;
  for (std::size_t i = 0; i < warps_ && !failed(); ++i) start(*slots_[i]);
  while (!failed() && go_on_with_block()) {
  }
}

/// False: no warp is left.
bool WarpRunner::go_on_with_block() {
  std::size_t live = 0, turning = 0;
  std::uint32_t barriers = 0;  // at which somebody waits; mostly one
  for (std::size_t i = 0; i < warps_; ++i) {
    const Slot& slot = *slots_[i];
    if (slot.ended()) continue;
    ++live;
    if (slot.turns())
      ++turning;
    else
      barriers |= std::uint32_t{1} << slot.warp.barrier % kBarriers;
  }
  if (live == 0) return false;
  const bool released = release_barrier(barriers, live);
  if (turning == 0) return released || fail(kNobodyComes);
  take_turns();
  if (released) rounds_ = 0;
  if (rounds_ > kRoundsInStep) leave_lanes();
  return !leaves_;
}

/// Those that wait in loops go on.
void WarpRunner::take_turns() {
  bool moved = false;
  for (std::size_t i = 0; i < warps_ && !failed(); ++i) {
    Slot& slot = *slots_[i];
    if (!slot.turns()) continue;
    go_on(slot);
    moved = moved || !slot.turns();
  }
  rounds_ = moved ? 0 : rounds_ + 1;
  // What they wait for may be in the hands of another party.
  if (rounds_ > 1 && grid().parties() > 1) sched_yield();
}

void WarpRunner::leave_lanes() {
  interrupted_.warps.clear();
  for (std::size_t i = 0; i < warps_; ++i) {
    Slot& slot = *slots_[i];
    interrupted_.warps.push_back(slot.ended() ? nullptr : &slot.warp);
    if (slot.ended()) continue;
    slot.warp.leaves = 1;
    go_on(slot);
  }
  leaves_ = true;
}

void WarpRunner::go_on_as_threads() {
  interrupted_.index = {block_.index[0], block_.index[1], block_.index[2]};
  interrupted_.multiprocessor = block_.multiprocessor;
  std::swap(interrupted_.shared, shared_);
  if (!threads_) threads_ = std::make_unique<Runner>();
  threads_->clock().reach(clock());
  threads_->start(*launch_, grid());
  threads_->take_over(interrupted_);
}

void WarpRunner::start(Slot& slot) {
  slot.warp.stop = WarpStop::kEnd;
  set_in_code(true);
  slot.handle = launch_->warp(&slot.warp);
  set_in_code(false);
}

void WarpRunner::go_on(Slot& slot) {
  set_in_code(true);
  kernels::resume(slot.handle);
  set_in_code(false);
}

/// Lets those go on that wait at one of the barriers, to which all have come. False: there is none.
bool WarpRunner::release_barrier(std::uint32_t barriers, std::size_t live) {
  for (; barriers != 0; barriers &= barriers - 1) {
    if (!gather_at(static_cast<unsigned>(std::countr_zero(barriers)), live)) continue;
    for (Slot* const slot : released_) {
      go_on(*slot);
      if (failed()) break;
    }
    return true;
  }
  return false;
}

/// Fills released_ with those that wait at the barrier, before any goes on: one may come to the
/// next before another leaves. False: some have not come.
bool WarpRunner::gather_at(unsigned barrier, std::size_t live) {
  released_.clear();
  std::uint32_t count = 0;
  bool asks = false;  // who came, and with what
  for (std::size_t i = 0; i < warps_; ++i) {
    Slot& slot = *slots_[i];
    if (slot.ended() || slot.turns() || slot.warp.barrier % kBarriers != barrier) continue;
    released_.push_back(&slot);
    count = std::max(count, slot.warp.count);
    asks = asks || slot.warp.stop == WarpStop::kBarrierCount;
  }
  if (released_.size() != live && (count == 0 || released_.size() * kLanes < count)) return false;
  if (!asks) return true;
  std::uint32_t arrived = 0, holding = 0;
  for (const Slot* const slot : released_) {
    arrived += static_cast<std::uint32_t>(std::popcount(slot->warp.arrived));
    if (slot->warp.stop == WarpStop::kBarrierCount)
      holding += static_cast<std::uint32_t>(std::popcount(slot->warp.holding));
  }
  for (Slot* const slot : released_) {
    slot->warp.arrived = arrived;
    slot->warp.holding = holding;
  }
  return true;
}

}  // namespace

std::unique_ptr<GridRun> new_warp_run() { return std::make_unique<WarpRunner>(); }

}  // namespace xfer::emulator::grid
