#include "grid/warp_block.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "grid/lane_services.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Warp;
using kernels::WarpStop;

constexpr unsigned kBarriers = 16;

}  // namespace

/// A warp, and what belongs to its lanes. Used again for each block.
struct WarpBlock::Slot {
  Slot() = default;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    std::free(warp.frame);
    std::free(warp.state);
  }

  Warp warp;
  kernels::Thread threads[kernels::kLanes];
  std::unique_ptr<std::byte[]> local;
  void* handle = nullptr;

  bool ended() const { return warp.stop == WarpStop::kEnd; }
  bool waits_at(unsigned barrier) const {
    return !ended() && !turns() && !pauses() && warp.barrier % kBarriers == barrier;
  }
  bool pauses() const { return warp.stop == WarpStop::kPause; }
  bool turns() const { return warp.stop == WarpStop::kTurn; }
};

WarpBlock::WarpBlock(GridRun& run) : run_(run) {}
WarpBlock::~WarpBlock() = default;

void WarpBlock::prepare(const Launch& launch) {
  launch_ = &launch;
  frame_ = block_of(launch, lane_services(), shared_.reserve(launch.shared_bytes()));
  const std::uint32_t threads = launch.threads();
  const std::uint32_t local = launch.code->local_bytes;
  warps_ = (threads + kernels::kLanes - 1) / kernels::kLanes;
  while (slots_.size() < warps_) slots_.push_back(std::make_unique<Slot>());
  for (std::size_t number = 0; number < warps_; ++number) {
    Slot& slot = *slots_[number];
    Warp& warp = slot.warp;
    warp.block = &frame_;
    warp.threads = slot.threads;
    warp.number = static_cast<std::uint32_t>(number);
    warp.leaves = 0;
    slot.local = std::make_unique_for_overwrite<std::byte[]>(std::size_t{local} * kernels::kLanes);
    warp.lanes = 0;
    for (unsigned lane = 0; lane < kernels::kLanes; ++lane) {
      const std::uint32_t thread = warp.number * kernels::kLanes + lane;
      if (thread < threads) warp.lanes |= std::uint32_t{1} << lane;
      const std::uint32_t index[3] = {thread % launch.block.x,
                                      thread / launch.block.x % launch.block.y,
                                      thread / launch.block.x / launch.block.y};
      kernels::Thread& its = slot.threads[lane];
      its.block = &frame_;
      its.number = thread;
      its.local = slot.local.get() + std::size_t{local} * lane;
      warp.local[lane] = reinterpret_cast<std::uintptr_t>(its.local);
      for (unsigned part = 0; part < 3; ++part)
        its.index[part] = warp.index[part][lane] = index[part];
    }
  }
}

WarpBlock::State WarpBlock::begin(std::uint64_t number) {
  const std::uint64_t row = number / frame_.grid_size[0];
  frame_.index[0] = static_cast<std::uint32_t>(number % frame_.grid_size[0]);
  frame_.index[1] = static_cast<std::uint32_t>(row % frame_.grid_size[1]);
  frame_.index[2] = static_cast<std::uint32_t>(row / frame_.grid_size[1]);
  frame_.multiprocessor = static_cast<std::uint32_t>(number % kMultiprocessors);
  for (std::size_t i = 0; i < warps_ && !failed(); ++i) start(*slots_[i]);
  return go_on();
}

WarpBlock::State WarpBlock::go_on() {
  while (!failed()) {
    end_pauses();
    std::size_t live = 0, turning = 0, pausing = 0;
    std::uint32_t barriers = 0;  // at which somebody waits; mostly one
    for (std::size_t i = 0; i < warps_; ++i) {
      const Slot& slot = *slots_[i];
      if (slot.ended()) continue;
      ++live;
      if (slot.turns())
        ++turning;
      else if (slot.pauses())
        ++pausing;
      else
        barriers |= std::uint32_t{1} << slot.warp.barrier % kBarriers;
    }
    if (live == 0) break;
    bool moved = release_barrier(barriers, live);
    if (turning != 0)
      moved = take_turns() || moved;
    else if (!moved && pausing == 0)
      run_.fail(kNobodyComes);
    if (!moved && pausing == 0) return State::kTurns;
  }
  return State::kEnded;
}

/// Those that pause go on: all the others have come as far.
void WarpBlock::end_pauses() {
  for (std::size_t i = 0; i < warps_ && !failed(); ++i)
    if (slots_[i]->pauses()) go_on(*slots_[i]);
}

/// Those that wait in loops go on. False: all of them still do.
bool WarpBlock::take_turns() {
  bool moved = false;
  for (std::size_t i = 0; i < warps_ && !failed(); ++i) {
    Slot& slot = *slots_[i];
    if (!slot.turns()) continue;
    go_on(slot);
    moved = moved || !slot.turns();
  }
  return moved;
}

void WarpBlock::leave(Interrupted& block) {
  block.index = {frame_.index[0], frame_.index[1], frame_.index[2]};
  block.multiprocessor = frame_.multiprocessor;
  for (std::size_t i = 0; i < warps_; ++i) {
    Slot& slot = *slots_[i];
    block.warps.push_back(slot.ended() ? nullptr : &slot.warp);
    if (slot.ended()) continue;
    slot.warp.leaves = 1;
    go_on(slot);
  }
  std::swap(block.shared, shared_);
}

std::size_t WarpBlock::bytes() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < warps_; ++i) sum += slots_[i]->warp.frame_bytes;
  return sum;
}

void WarpBlock::start(Slot& slot) {
  slot.warp.stop = WarpStop::kEnd;
  run_.set_in_code(true);
  slot.handle = launch_->warp(&slot.warp);
  run_.set_in_code(false);
}

void WarpBlock::go_on(Slot& slot) {
  run_.set_in_code(true);
  kernels::resume(slot.handle);
  run_.set_in_code(false);
}

/// Lets those go on that wait at one of the barriers, to which all have come. False: there is none.
bool WarpBlock::release_barrier(std::uint32_t barriers, std::size_t live) {
  for (; barriers != 0; barriers &= barriers - 1) {
    if (!gather_at(static_cast<unsigned>(std::countr_zero(barriers)), live)) continue;
    for (Slot* const slot : released_) {
      go_on(*slot);
      if (run_.grid().failed()) break;
    }
    return true;
  }
  return false;
}

/// Fills released_ with those that wait at the barrier, before any goes on: one may come to the
/// next before another leaves. False: some have not come.
bool WarpBlock::gather_at(unsigned barrier, std::size_t live) {
  released_.clear();
  std::uint32_t count = 0;
  bool asks = false;  // who came, and with what
  for (std::size_t i = 0; i < warps_; ++i) {
    Slot& slot = *slots_[i];
    if (!slot.waits_at(barrier)) continue;
    released_.push_back(&slot);
    count = std::max(count, slot.warp.count);
    asks = asks || slot.warp.stop == WarpStop::kBarrierCount;
  }
  if (released_.size() != live && (count == 0 || released_.size() * kernels::kLanes < count))
    return false;
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

}  // namespace xfer::emulator::grid
