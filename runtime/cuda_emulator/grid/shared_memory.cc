#include "grid/shared_memory.h"

#include <cstring>
#include <new>

namespace xfer::emulator::grid {

std::byte* SharedMemory::reserve(std::size_t bytes) {
  constexpr std::size_t kAlign = 1024;  // matrices in it may want that much
  bytes = (bytes + kAlign) / kAlign * kAlign;
  if (bytes <= bytes_) return memory_.get();
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlign, bytes)));
  bytes_ = memory_ == nullptr ? 0 : bytes;
  if (memory_ == nullptr) throw std::bad_alloc();
  std::memset(memory_.get(), 0, bytes);
  return memory_.get();
}

}  // namespace xfer::emulator::grid
