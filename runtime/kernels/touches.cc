#include "kernels/touches.h"

#include <algorithm>
#include <cstddef>

#include "kernels/touch_marks.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels::touches {
namespace {

/// Where lanes lie apart from each other, each with whole words.
void mark_apart(Block* block, const std::uint64_t* addresses, std::uint32_t lanes,
                std::uint64_t bytes, std::uint32_t writes) {
  const Touches& touches = *block->touches;
  std::byte* const marks = writes != 0 ? touches.writes : touches.reads;
  std::byte* const pages = touches.pages;
  const std::uint64_t base = block->device_base;
  const std::uint64_t span = block->device_span - bytes + 1;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t offset = addresses[lane] - base;
    if (offset >= span) return mark_elsewhere(block, addresses[lane], bytes, writes);
    mark_words(marks + offset / kMarkedWord, bytes / kMarkedWord);
    pages[offset >> Touches::kPageBits] = std::byte{1};
  });
}

bool are_apart(const std::uint64_t* addresses, std::uint32_t lanes, std::uint64_t bytes) {
  constexpr std::uint32_t kFirstTwo = 3;
  if ((lanes & kFirstTwo) != kFirstTwo || bytes % kMarkedWord != 0) return false;
  const std::uint64_t step = addresses[1] - addresses[0];
  return step != 0 && step != bytes;
}

}  // namespace

void mark(Block* block, std::uint64_t address, std::uint64_t bytes, std::uint32_t writes) {
  const std::uint64_t offset = address - block->device_base;
  if (offset >= block->device_span) return mark_elsewhere(block, address, bytes, writes);
  const Touches& touches = *block->touches;
  bytes = std::min(bytes, block->device_span - offset);  // a row may leave memory: that faults
  mark_bytes(writes != 0 ? touches.writes : touches.reads, offset, bytes);
  const std::uint64_t last = (offset + bytes - 1) >> Touches::kPageBits;
  for (std::uint64_t page = offset >> Touches::kPageBits; page <= last; ++page)
    touches.pages[page] = std::byte{1};
}

void mark_lanes(Block* block, const std::uint64_t* addresses, std::uint32_t lanes,
                std::uint64_t bytes, std::uint32_t writes) {
  if (are_apart(addresses, lanes, bytes) && block->device_span >= bytes)
    return mark_apart(block, addresses, lanes, bytes, writes);
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

void mark_elsewhere(Block* block, std::uint64_t address, std::uint64_t bytes,
                    std::uint32_t writes) {
  const auto shared = reinterpret_cast<std::uintptr_t>(block->shared);
  if (address - shared < block->shared_bytes) return;
  const Touches& touches = *block->touches;
  touches.mark_host(touches.context, address, bytes, writes != 0);
}

}  // namespace xfer::kernels::touches
