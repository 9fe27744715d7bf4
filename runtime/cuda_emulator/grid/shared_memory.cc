#include "grid/shared_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "machine/page.h"

namespace xfer::emulator::grid {

namespace {
constexpr std::size_t kAround = std::size_t{1} << 20;
}

void SharedMemory::Unmap::operator()(std::byte* memory) const {
  munmap(memory - kAround, bytes + 2 * kAround);
}

std::byte* SharedMemory::reserve(std::size_t bytes) {
  bytes = whole_pages(std::max<std::size_t>(bytes, 1));
  if (memory_ != nullptr && bytes <= memory_.get_deleter().bytes) return memory_.get();
  memory_ = Memory(nullptr, Unmap{0});
  void* const all = mmap(nullptr, bytes + 2 * kAround, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  memory_ = Memory(static_cast<std::byte*>(all) + kAround, Unmap{bytes});
  if (mprotect(memory_.get(), bytes, PROT_READ | PROT_WRITE) == 0) return memory_.get();
  memory_ = Memory(nullptr, Unmap{0});
  throw std::bad_alloc();
}

}  // namespace xfer::emulator::grid
