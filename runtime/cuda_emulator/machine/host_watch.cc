#include "machine/host_watch.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "machine/page.h"

namespace xfer::emulator {

void HostWatch::enable(bool on) {
  if (!on) release_all();
  on_ = on;
}

void HostWatch::open(Slot& slot) {
  const std::uintptr_t begin = slot.begin.load(std::memory_order_relaxed);
  mprotect(reinterpret_cast<void*>(begin), slot.end.load(std::memory_order_relaxed) - begin,
           PROT_READ | PROT_WRITE);
  slot.closed.store(false, std::memory_order_release);
}

void HostWatch::watch(const HostRange& range, bool source) {
  if (!on_) return;
  const std::uintptr_t page = page_bytes();
  const std::uintptr_t begin = (range.begin + page - 1) / page * page;
  const std::uintptr_t end = range.end / page * page;
  if (begin >= end) return;
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& candidate) {
    return !candidate.closed.load(std::memory_order_relaxed);
  });
  if (slot == slots_.end()) return;
  slot->begin.store(begin, std::memory_order_relaxed);
  slot->end.store(end, std::memory_order_relaxed);
  slot->closed.store(true, std::memory_order_release);
  const auto used = static_cast<std::size_t>(slot - slots_.begin()) + 1;
  if (used > in_use_.load(std::memory_order_relaxed))
    in_use_.store(used, std::memory_order_relaxed);
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, source ? PROT_READ : PROT_NONE) != 0)
    slot->closed.store(false, std::memory_order_release);
}

void HostWatch::release(const HostRange& range) {
  for (std::size_t i = 0; i < in_use_.load(std::memory_order_relaxed); ++i) {
    Slot& slot = slots_[i];
    if (slot.closed.load(std::memory_order_acquire) && slot.begin.load() < range.end &&
        range.begin < slot.end.load())
      open(slot);
  }
}

void HostWatch::release_all() { release({0, UINTPTR_MAX}); }

bool HostWatch::touched(std::uintptr_t address) {
  static thread_local std::uintptr_t retried = 0;
  const int saved = errno;
  bool was_here = false;
  bool opened = false;
  for (Slot& slot : slots_) {
    if (address < slot.begin.load() || address >= slot.end.load()) continue;
    was_here = true;
    if (!slot.closed.load(std::memory_order_acquire)) continue;
    open(slot);
    opened = true;
  }
  errno = saved;
  // Another thread may have opened it since the fault; a second fault there is another matter.
  if (!opened && was_here && retried == address) was_here = false;
  retried = opened ? 0 : address;
  return opened || was_here;
}

}  // namespace xfer::emulator
