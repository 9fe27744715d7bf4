#pragma once
// A grid that runs: what services ask of it, whether threads or warps run one by one.

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <string>

#include "grid/clock.h"
#include "grid/launch.h"
#include "machine/grid_in_progress.h"

namespace xfer::emulator::grid {

class GridRun : public GridInProgress {
 public:
  /// Of the calling thread, which is in a kernel.
  static GridRun& current() { return static_cast<GridRun&>(*grid_in_progress()); }

  Clock& clock() { return clock_; }
  Heap* heap() const { return heap_; }

  void stopped_at(const void* code) override { at_ = code; }
  void fail(const char* what) override { std::snprintf(failure_, sizeof(failure_), "%s", what); }
  bool in_code() const override { return in_code_.load(std::memory_order_relaxed); }
  void set_in_code(bool in_code) { in_code_.store(in_code, std::memory_order_relaxed); }

 protected:
  ~GridRun() = default;
  void begin(const Launch& launch) {
    failure_[0] = '\0';
    at_ = nullptr;
    heap_ = launch.heap;
    clock_.reach(launch.start_ns);
  }
  bool failed() const { return failure_[0] != '\0'; }
  Failure failure() const { return {failure_, at_}; }

 private:
  Clock clock_;
  Heap* heap_ = nullptr;
  std::atomic<bool> in_code_{false};  // read by the signal handler
  char failure_[256] = "";
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
