#include "machine/host_marks.h"

#include <algorithm>

#include "kernels/touch_marks.h"

namespace xfer::emulator {

void HostMarks::begin(const HostMemory& memory) {
  memory_ = &memory;
  last_.store(nullptr, std::memory_order_relaxed);
  blocks_.clear();
}

HostMarks::Block* HostMarks::block_of(std::uintptr_t address) {
  Block* const last = last_.load(std::memory_order_acquire);
  if (last != nullptr && last->holds(address)) return last;
  const auto found = memory_->find(address);
  if (!found) return nullptr;
  const std::lock_guard lock(mutex_);
  Block& block = blocks_[found->address];
  if (block.bytes == 0) {
    const std::uint64_t words = found->bytes / kernels::kMarkedWord + 1;
    block.reads = std::make_unique<std::byte[]>(words);
    block.writes = std::make_unique<std::byte[]>(words);
    block.begin = found->address;
    block.bytes = found->bytes;
  }
  last_.store(&block, std::memory_order_release);
  return &block;
}

bool HostMarks::mark(std::uintptr_t address, std::uint64_t bytes, bool writes) {
  Block* const block = block_of(address);
  if (block == nullptr) return false;
  const std::uint64_t offset = address - block->begin;
  kernels::mark_bytes((writes ? block->writes : block->reads).get(), offset,
                      std::min(bytes, block->bytes - offset));
  return true;
}

}  // namespace xfer::emulator
