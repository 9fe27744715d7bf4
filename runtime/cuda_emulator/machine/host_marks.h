#pragma once
// Marks the host memory that a kernel touches and devices can reach: a mark for each word of a
// block, as of device memory (kernels/touch_marks.h), made when the block is first touched. Several
// threads may mark at once.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "machine/host_memory.h"

namespace xfer::emulator {

class HostMarks {
 public:
  /// Of one block: a mark for each word, from its first byte on.
  struct Block {
    std::uintptr_t begin = 0;
    std::uint64_t bytes = 0;
    std::unique_ptr<std::byte[]> reads;
    std::unique_ptr<std::byte[]> writes;

    bool holds(std::uintptr_t address) const { return address - begin < bytes; }
  };

  /// Nothing is marked; the blocks are those of `memory`, which stays as it is until the marks have
  /// been looked at.
  void begin(const HostMemory& memory);
  /// False: devices cannot reach the address.
  bool mark(std::uintptr_t address, std::uint64_t bytes, bool writes);
  const std::map<std::uintptr_t, Block>& blocks() const { return blocks_; }

 private:
  Block* block_of(std::uintptr_t address);

  const HostMemory* memory_ = nullptr;
  std::mutex mutex_;
  std::map<std::uintptr_t, Block> blocks_;  // by their begin
  std::atomic<Block*> last_{nullptr};
};

}  // namespace xfer::emulator
