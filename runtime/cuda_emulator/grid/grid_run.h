#pragma once
// A thread of the host that runs blocks of a grid: what services ask of it, whether threads or
// warps run one by one.

#include <atomic>
#include <cstddef>

#include "grid/clock.h"
#include "grid/launch.h"
#include "grid/shared_grid.h"
#include "machine/grid_in_progress.h"

namespace xfer::emulator::grid {

class GridRun : public GridInProgress {
 public:
  virtual ~GridRun() = default;

  /// Of the calling thread, which is in a kernel.
  static GridRun& current() { return static_cast<GridRun&>(*grid_in_progress()); }

  virtual void start(const Launch& launch, SharedGrid& grid) = 0;
  /// Runs blocks in the calling thread, in a fixed order as far as it takes them, until there are
  /// no more, it stops for the host, or the grid is given up. `patient`: as in GridInParts.
  virtual void go_on(bool patient) = 0;
  /// In the middle of blocks that only the host can help.
  virtual bool stopped() const { return false; }
  /// Code for warps was not enough: see WarpRunner.
  virtual bool left_warps() const { return false; }
  /// By code for warps, at least in the beginning.
  virtual bool takes_warps() const = 0;
  /// Between blocks: threads one by one have done enough for warps to be better.
  virtual bool asks_for_warps() const { return false; }
  /// As in GridInParts.
  virtual std::uint64_t work() const { return 0; }
  /// The grid is over.
  virtual void finish() {}

  Clock& clock() { return clock_; }
  SharedGrid& grid() { return *grid_; }
  Heap* heap() const { return heap_; }

  void stopped_at(const void* code) override { at_ = code; }
  bool fail(const char* what) override { return grid_->fail(what, at_); }
  bool in_code() const override { return in_code_.load(std::memory_order_relaxed); }
  bool memory_may_change() const override { return grid_->heap_may_change(); }
  void set_in_code(bool in_code) { in_code_.store(in_code, std::memory_order_relaxed); }

 protected:
  void begin(const Launch& launch, SharedGrid& grid) {
    grid_ = &grid;
    at_ = nullptr;
    heap_ = launch.heap;
    clock_.reach(launch.start_ns);
  }
  bool failed() const { return grid_->failed(); }

 private:
  Clock clock_;
  SharedGrid* grid_ = nullptr;
  Heap* heap_ = nullptr;
  std::atomic<bool> in_code_{false};  // read by the signal handler
  const void* at_ = nullptr;
};

/// In the call that returns to an address.
inline const void* call_before(const void* returns_to) {
  return static_cast<const std::byte*>(returns_to) - 1;
}

/// In a service: the kernel's own code does not run meanwhile.
class OutOfCode {
 public:
  OutOfCode() : run_(GridRun::current()) { run_.set_in_code(false); }
  OutOfCode(const OutOfCode&) = delete;
  OutOfCode& operator=(const OutOfCode&) = delete;
  ~OutOfCode() { run_.set_in_code(true); }

  GridRun* operator->() const { return &run_; }

 private:
  GridRun& run_;
};

}  // namespace xfer::emulator::grid
