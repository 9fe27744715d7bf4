#pragma once
// Pinned and managed memory, mapped twice: programs hold addresses of the first view, copies use
// the second. So the program's page table tells whether its code, or the kernel on its behalf, has
// touched a page since it was last cleared: no page is protected, nothing faults, no system call
// fails.
//
// To the page, and the kernel maps the neighbours of a page that is read (within 64 KiB): what was
// touched may be said of more than was, never the other way round. Not thread-safe, but for
// share().

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "machine/range_allocator.h"

namespace xfer::emulator {

class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory();

  /// Begins on a page of its own. Null when there is no room, or no such mapping can be made.
  void* allocate(std::size_t bytes);
  /// False when no block begins there.
  bool release(void* address);

  bool holds(std::uintptr_t address) const { return address - base_ < span_; }
  /// Where copies reach an address that it holds.
  std::uintptr_t copy_view(std::uintptr_t address) const { return address + span_; }

  /// The program has not touched these bytes, as far as touched() knows from now on.
  void clear_touches(std::uintptr_t address, std::size_t bytes);
  /// True also when it cannot be told.
  bool touched(std::uintptr_t address, std::size_t bytes) const;
  /// Another process shares the memory now: what that touches is not known.
  void share() { shared_ = true; }

 private:
  bool map();

  std::uintptr_t base_ = 0;
  std::uint64_t span_ = 0;  // of one view
  int page_table_ = -1;
  bool tried_ = false;
  std::atomic<bool> shared_{false};
  std::optional<RangeAllocator> ranges_;
};

}  // namespace xfer::emulator
