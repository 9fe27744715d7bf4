#include "buffer_pool.h"

#include <cstdlib>

namespace xfer::tracer {

BufferPool::~BufferPool() {
  for (std::uint8_t* buffer : free_) std::free(buffer);
}

std::uint8_t* BufferPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::uint8_t* buffer = free_.back();
      free_.pop_back();
      return buffer;
    }
  }
  return static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBufferBytes));
}

void BufferPool::give_back(std::uint8_t* buffer) {
  if (buffer == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    if (free_.size() < keep_) {
      free_.push_back(buffer);
      return;
    }
  }
  std::free(buffer);
}

}  // namespace xfer::tracer
