#pragma once
// The grid that the calling thread runs, seen from the fault handler: whoever runs one says so
// here, and is told when a kernel's code faulted or took too long.

namespace xfer::emulator {

class GridInProgress {
 public:
  /// Where in the kernel's code it is given up, before fail(). Async-signal-safe.
  virtual void stopped_at(const void* /*code*/) {}
  /// Why the grid is given up. Then leave(). True: nobody said so before. Async-signal-safe, both.
  virtual bool fail(const char* what) = 0;
  /// Does not return; on the stack that the fault came on, or below it.
  [[noreturn]] virtual void leave() = 0;
  /// Whether the kernel's own code runs at this moment, so that it can be stopped anywhere.
  virtual bool in_code() const = 0;
  /// Whether another thread may be about to allocate or release memory of the device.
  virtual bool memory_may_change() const { return false; }

 protected:
  ~GridInProgress() = default;
};

/// The failure of a thread that another one asked to stop: not the first to fail.
inline constexpr const char* kAskedToStop = "another thread gave the kernel up";

/// Null: the calling thread runs no grid.
GridInProgress* grid_in_progress();
void set_grid_in_progress(GridInProgress* grid);

/// The failure of a grid that called __trap().
inline constexpr const char* kTrapped = "the kernel ended itself by __trap()";

}  // namespace xfer::emulator
