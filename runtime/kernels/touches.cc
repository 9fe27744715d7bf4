#include "kernels/touches.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "kernels/warp_frame.h"

namespace xfer::kernels::touches {

void mark(Block* block, std::uint64_t address, std::uint64_t bytes, std::uint32_t writes) {
  const std::uint64_t offset = address - block->device_base;
  if (offset >= block->device_span) return mark_elsewhere(block, address);
  const Touches& touches = *block->touches;
  bytes = std::min(bytes, block->device_span - offset);  // a row may leave memory: that faults
  std::memset((writes != 0 ? touches.writes : touches.reads) + offset, 1, bytes);
  const std::uint64_t last = (offset + bytes - 1) >> Touches::kPageBits;
  for (std::uint64_t page = offset >> Touches::kPageBits; page <= last; ++page)
    touches.pages[page] = std::byte{1};
}

void mark_lanes(Block* block, const std::uint64_t* addresses, std::uint32_t lanes,
                std::uint64_t bytes, std::uint32_t writes) {
  // Most often they follow each other, or are one and the same.
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
    unsigned last = first;
    while (last + 1 < kLanes && (lanes >> (last + 1) & 1) != 0 &&
           addresses[last + 1] == addresses[last] + bytes)
      ++last;
    mark(block, addresses[first], (last - first + 1) * bytes, writes);
    lanes = last + 1 < kLanes ? lanes & ~0U << (last + 1) : 0;
    while (lanes != 0 && addresses[__builtin_ctz(lanes)] == addresses[last]) lanes &= lanes - 1;
  }
}

void mark_elsewhere(Block* block, std::uint64_t address) {
  Touches& touches = *block->touches;
  const auto shared = reinterpret_cast<std::uintptr_t>(block->shared);
  const std::atomic_ref<bool> host(touches.host);
  if (address - shared < block->shared_bytes || host.load(std::memory_order_relaxed)) return;
  if (touches.is_host(touches.context, address)) host.store(true, std::memory_order_relaxed);
}

}  // namespace xfer::kernels::touches
