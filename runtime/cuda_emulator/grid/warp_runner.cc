#include "grid/warp_runner.h"

#include <sched.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "grid/interrupted.h"
#include "grid/runner.h"
#include "grid/warp_block.h"
#include "machine/fiber.h"
#include "machine/time_limit.h"

namespace xfer::emulator::grid {
namespace {

// Turns that a block takes by itself, before others begin beside it.
constexpr unsigned kTurnsAlone = 16;
// Turns of blocks in which nobody gets further, before warps are taken to wait for what comes only
// when lanes go their own ways.
constexpr std::size_t kTurnsInStep = 4096;
constexpr std::size_t kTurnsOfEach = 8;
// That blocks which were put aside may keep.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr const char* kNoMemory = "there is not enough memory for the warps of a block";

class WarpRunner final : public GridRun {
 public:
  void start(const Launch& launch, SharedGrid& grid) override;
  void go_on(bool patient) override;
  bool stopped() const override { return leaves_ && threads_->stopped(); }
  bool takes_warps() const override { return true; }
  bool left_warps() const override { return leaves_; }
  void finish() override;
  [[noreturn]] void leave() override {
    set_in_code(false);
    fiber_->leave();
    __builtin_unreachable();  // nobody resumes it
  }

 private:
  void run_warps();
  void run_blocks();
  std::optional<std::uint64_t> next_block();
  WarpBlock& free_block();
  void begin_block(std::uint64_t number);
  void take_turn();
  void leave_warps();
  void go_on_as_threads();

  const Launch* launch_ = nullptr;
  std::unique_ptr<Fiber> fiber_;
  SharedGrid::Blocks blocks_{};  // to run here
  std::vector<std::unique_ptr<WarpBlock>> all_;
  std::size_t prepared_ = 0;  // of all_, for this launch
  std::vector<WarpBlock*> free_;
  std::deque<WarpBlock*> aside_;
  std::size_t bytes_aside_ = 0;
  std::size_t turns_ = 0;  // of those in which nobody got further
  bool leaves_ = false;    // its warps have left, and threads go on
  std::deque<Interrupted> interrupted_;
  std::unique_ptr<Runner> threads_;
};

void WarpRunner::start(const Launch& launch, SharedGrid& grid) {
  launch_ = &launch;
  blocks_ = {};
  prepared_ = bytes_aside_ = turns_ = 0;
  free_.clear();
  aside_.clear();
  interrupted_.clear();
  leaves_ = false;
  begin(launch, grid);
}

void WarpRunner::go_on(bool patient) {
  if (!leaves_) {
    try {
      run_warps();
      if (!leaves_ || failed()) return;
      go_on_as_threads();
    } catch (const std::bad_alloc&) {
      fail(kNoMemory);
      return;
    }
  }
  threads_->go_on(patient);
}

void WarpRunner::finish() {
  if (!leaves_ || !threads_) return;
  threads_->finish();
  clock().reach(threads_->clock());
}

void WarpRunner::run_warps() {
  const TimeLimit limit(std::chrono::seconds(launch_->seconds));
  if (!fiber_) fiber_ = std::make_unique<Fiber>();
  set_grid_in_progress(this);
  fiber_->start([](void* self) { static_cast<WarpRunner*>(self)->run_blocks(); }, this);
  set_grid_in_progress(nullptr);
  // Its stack is in the middle of something.
  if (failed()) fiber_.reset(), all_.clear();
}

// On the fiber, which an exception must not leave.
void WarpRunner::run_blocks() try {
  while (!failed() && !leaves_) {
    const bool has_room = aside_.empty() || (grid().has_room() && bytes_aside_ < kMostBytes);
    if (const auto number = has_room ? next_block() : std::nullopt)
      begin_block(*number);
    else if (!aside_.empty())
      take_turn();
    else
      return;
  }
} catch (const std::bad_alloc&) {
  fail(kNoMemory);
}

std::optional<std::uint64_t> WarpRunner::next_block() {
  if (blocks_.first == blocks_.end) blocks_ = grid().take_blocks().value_or(SharedGrid::Blocks{});
  if (blocks_.first == blocks_.end) return std::nullopt;
  return blocks_.first++;
}

WarpBlock& WarpRunner::free_block() {
  if (free_.empty()) {
    if (prepared_ == all_.size()) all_.push_back(std::make_unique<WarpBlock>(*this));
    all_[prepared_]->prepare(*launch_);
    free_.push_back(all_[prepared_++].get());
  }
  WarpBlock* const block = free_.back();
  free_.pop_back();
  return *block;
}

void WarpRunner::begin_block(std::uint64_t number) {
  WarpBlock& block = free_block();
  WarpBlock::State state = block.begin(number);
  for (unsigned turn = 0; turn < kTurnsAlone && state == WarpBlock::State::kTurns; ++turn)
    state = block.go_on();
  if (state == WarpBlock::State::kEnded) return free_.push_back(&block);
  grid().keep_block();
  bytes_aside_ += block.bytes();
  aside_.push_back(&block);
}

/// The next of those that were put aside goes on.
void WarpRunner::take_turn() {
  WarpBlock& block = *aside_.front();
  aside_.pop_front();
  if (block.go_on() == WarpBlock::State::kEnded) {
    turns_ = 0;
    grid().end_block();
    bytes_aside_ -= block.bytes();
    return free_.push_back(&block);
  }
  aside_.push_back(&block);
  // The blocks may be waiting for another party.
  if (grid().parties() > 1) sched_yield();
  if (++turns_ > std::max(kTurnsInStep, kTurnsOfEach * aside_.size())) leave_warps();
}

void WarpRunner::leave_warps() {
  for (WarpBlock* const block : aside_) block->leave(interrupted_.emplace_back());
  grid().give_back(blocks_);
  leaves_ = true;
}

void WarpRunner::go_on_as_threads() {
  if (!threads_) threads_ = std::make_unique<Runner>();
  threads_->clock().reach(clock());
  threads_->start(*launch_, grid());
  for (Interrupted& block : interrupted_) threads_->take_over(block);
}

}  // namespace

std::unique_ptr<GridRun> new_warp_run() { return std::make_unique<WarpRunner>(); }

}  // namespace xfer::emulator::grid
