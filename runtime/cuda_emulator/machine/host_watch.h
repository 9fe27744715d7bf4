#pragma once
// Pinned memory that an asynchronous copy may still be reading or writing, as far as the host can
// know: the program must leave it alone until something has told it that the copy is over, whatever
// the schedule is. Its pages cannot be touched meanwhile (those of a source not be written), so a
// program that comes too early faults; the fault handler opens the pages and lets it go on.
//
// Off unless a tracer asks for it: a system call that is given such memory fails with EFAULT where
// it would only have come too early. Pages that lie in the range with other data are left out.
//
// watch, release and release_all are called with the machine locked; touched() is for signal
// handlers.

#include <array>
#include <atomic>
#include <cstdint>

#include "machine/stream.h"

namespace xfer::emulator {

class HostWatch {
 public:
  void enable(bool on);

  /// A copy that the host was not made to wait for: its source (or its destination).
  void watch(const HostRange& range, bool source);
  /// The emulator itself is about to use this memory, or the program has freed it.
  void release(const HostRange& range);
  /// The host waited, or may have.
  void release_all();
  /// Whether any memory was ever watched. Needs no lock.
  bool used() const { return in_use_.load(std::memory_order_relaxed) != 0; }
  /// The fault at this address was the watch's; the memory is open now.
  bool touched(std::uintptr_t address);

 private:
  struct Slot {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> closed{false};
  };
  static void open(Slot& slot);

  bool on_ = false;
  std::atomic<std::size_t> in_use_{0};  ///< slots beyond were never used
  std::array<Slot, 64> slots_;
};

}  // namespace xfer::emulator
