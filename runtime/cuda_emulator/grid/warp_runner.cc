#include "grid/warp_runner.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "grid/lane_services.h"
#include "machine/fiber.h"
#include "machine/time_limit.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Warp;
using kernels::WarpStop;

constexpr unsigned kLanes = kernels::kLanes;
constexpr unsigned kBarriers = 16;

/// A warp of the block that runs, and what belongs to its lanes. Used again for each block.
struct Slot {
  Slot() = default;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() { std::free(warp.frame); }

  Warp warp;
  kernels::Thread threads[kLanes];
  std::unique_ptr<std::byte[]> local;
  void* handle = nullptr;

  bool ended() const { return warp.stop == WarpStop::kEnd; }
};

class WarpRunner final : public GridRun {
 public:
  void start(const Launch& launch, SharedGrid& grid) override;
  void go_on(bool patient) override;
  [[noreturn]] void leave() override {
    set_in_code(false);
    fiber_->leave();
    __builtin_unreachable();  // nobody resumes it
  }

 private:
  void make_warps();
  void make_shared();
  void run_blocks();
  void run_block();
  bool release_barrier();
  bool gather_at(unsigned barrier, std::size_t live);
  void start(Slot& slot);
  void go_on(Slot& slot);

  const Launch* launch_ = nullptr;
  kernels::Block block_;
  std::unique_ptr<Fiber> fiber_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> released_;
  std::size_t warps_ = 0;
  std::unique_ptr<std::byte, void (*)(void*)> shared_{nullptr, &std::free};
  std::size_t shared_bytes_ = 0;
};

void WarpRunner::start(const Launch& launch, SharedGrid& grid) {
  launch_ = &launch;
  begin(launch, grid);
}

void WarpRunner::go_on(bool /*patient*/) {
  const TimeLimit limit(std::chrono::seconds(launch_->seconds));
  try {
    make_shared();
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

void WarpRunner::make_shared() {
  constexpr std::size_t kAlign = 128;
  const std::size_t bytes = (launch_->shared_bytes() + kAlign) / kAlign * kAlign;
  if (bytes > shared_bytes_) {
    shared_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlign, bytes)));
    shared_bytes_ = shared_ == nullptr ? 0 : bytes;
    if (shared_ == nullptr) throw std::bad_alloc();
    std::fill_n(shared_.get(), bytes, std::byte{0});
  }
  block_ = block_of(*launch_, lane_services(), shared_.get());
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
      if (++block_.index[0] != launch_->grid.x) continue;
      block_.index[0] = 0;
      if (++block_.index[1] != launch_->grid.y) continue;
      block_.index[1] = 0;
      ++block_.index[2];
    }
  }
}

void WarpRunner::run_block() {
  for (std::size_t i = 0; i < warps_ && !failed(); ++i) start(*slots_[i]);
  while (!failed() && release_barrier()) {
  }
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

/// Lets those go on that wait at a barrier to which all have come. False: no warp is left.
bool WarpRunner::release_barrier() {
  std::size_t live = 0;
  std::uint32_t barriers = 0;  // at which somebody waits; mostly one
  for (std::size_t i = 0; i < warps_; ++i) {
    if (slots_[i]->ended()) continue;
    ++live;
    barriers |= std::uint32_t{1} << slots_[i]->warp.barrier % kBarriers;
  }
  if (live == 0) return false;
  for (; barriers != 0; barriers &= barriers - 1) {
    if (!gather_at(static_cast<unsigned>(std::countr_zero(barriers)), live)) continue;
    for (Slot* const slot : released_) {
      go_on(*slot);
      if (failed()) return false;
    }
    return true;
  }
  fail(kNobodyComes);
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
    if (slot.ended() || slot.warp.barrier % kBarriers != barrier) continue;
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
