#include "backend/cpu/block_cache.h"

#include <cstdlib>

namespace tensorlib::cpu {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOn = false;
#else
constexpr bool kOn = true;
#endif

}  // namespace

size_t BlockCache::size_of(size_t nbytes) noexcept {
  if (nbytes < kSmallest || nbytes > kMost) return nbytes;
  size_t step = kSmallest;
  while (step <= nbytes / 2) step *= 2;
  step /= 8;
  return (nbytes + step - 1) / step * step;
}

void* BlockCache::take(size_t nbytes) noexcept {
  const size_t size = size_of(nbytes);
  if (size < kSmallest) return nullptr;
  const std::lock_guard lock(mutex_);
  for (size_t index = blocks_.size(); index-- > 0;) {
    if (blocks_[index].size != size) continue;
    void* const data = blocks_[index].data;
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(index));
    held_ -= size;
    return data;
  }
  return nullptr;
}

bool BlockCache::keep(void* block, size_t nbytes) noexcept {
  const size_t size = size_of(nbytes);
  if (!kOn || size < kSmallest || size > kMost) return false;
  const std::lock_guard lock(mutex_);
  size_t gone = 0;
  while (held_ + size > kMost) {
    std::free(blocks_[gone].data);
    held_ -= blocks_[gone++].size;
  }
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(gone));
  try {
    blocks_.push_back({block, size});
  } catch (...) {
    return false;
  }
  held_ += size;
  return true;
}

void BlockCache::clear() noexcept {
  const std::lock_guard lock(mutex_);
  for (const Block& block : blocks_) std::free(block.data);
  blocks_.clear();
  held_ = 0;
}

}  // namespace tensorlib::cpu
