#pragma once
// Device memory and pinned memory that the program has freed and that no allocation has taken
// again, as far as was seen. Blocks of the program's own allocators are not in here: what those do
// with a block that came back is theirs.
//
// Cost: O(log n) an allocation or free. Memory: a fixed number of ranges; the oldest is forgotten.

#include <cstdint>
#include <deque>
#include <map>

#include "detect/shadow_map.h"

namespace xfer {

struct FreedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t id = 0;
  std::int16_t device = 0;  ///< -1: pinned memory
  std::uint32_t free_site = 0;
  bool in_stream_order = false;  ///< freed by cudaFreeAsync: the pool keeps the addresses
  bool by_reset = false;         ///< with everything else on the device
};

class FreedMemory {
 public:
  /// Before the allocation is dropped from the shadow map.
  void freed(const Allocation& allocation, const Event& free);
  void freed_pinned(std::uint64_t begin, std::uint64_t end, const Event& free);
  /// New memory lies there.
  void allocated(const Event& alloc);
  /// Null when the address is in no freed memory.
  const FreedRange* find(std::uint64_t address) const;
  void forget();

 private:
  void add(FreedRange range, const Event& free);

  static constexpr std::size_t kMost = std::size_t{1} << 16;

  std::map<std::uint64_t, FreedRange> ranges_;  // by first byte; disjoint
  struct Entry {
    std::uint64_t begin;
    std::uint64_t id;
  };
  std::deque<Entry> oldest_first_;
};

}  // namespace xfer
