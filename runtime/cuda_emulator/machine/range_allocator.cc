#include "machine/range_allocator.h"

#include <iterator>

namespace xfer::emulator {

RangeAllocator::RangeAllocator(std::uint64_t bytes) {
  add_free(0, bytes / kAlignment * kAlignment);
}

std::optional<std::uint64_t> RangeAllocator::allocate(std::uint64_t bytes) {
  if (bytes > bytes_free_) return std::nullopt;  // also keeps rounding from overflowing
  const std::uint64_t needed = rounded(bytes);
  const auto fit = free_by_size_.lower_bound({needed, 0});
  if (fit == free_by_size_.end()) return std::nullopt;
  const auto [size, offset] = *fit;
  remove_free(free_.find(offset));
  if (size > needed) add_free(offset + needed, size - needed);
  live_.emplace(offset, bytes);
  return offset;
}

std::optional<RangeAllocator::Range> RangeAllocator::release(std::uint64_t offset) {
  const auto it = live_.find(offset);
  if (it == live_.end()) return std::nullopt;
  const Range range{offset, it->second};
  live_.erase(it);

  std::uint64_t begin = offset;
  std::uint64_t end = offset + rounded(range.bytes);
  const auto next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == begin) {
      begin = previous->first;
      remove_free(previous);
    }
  }
  if (next != free_.end() && next->first == end) {
    end += next->second;
    remove_free(next);
  }
  add_free(begin, end - begin);
  return range;
}

std::optional<RangeAllocator::Range> RangeAllocator::find_before(std::uint64_t offset) const {
  auto it = live_.upper_bound(offset);
  if (it == live_.begin()) return std::nullopt;
  --it;
  return Range{it->first, it->second};
}

std::optional<RangeAllocator::Range> RangeAllocator::find(std::uint64_t offset) const {
  const auto range = find_before(offset);
  if (!range || offset - range->offset >= range->bytes) return std::nullopt;
  return range;
}

void RangeAllocator::add_free(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  free_.emplace(offset, bytes);
  free_by_size_.emplace(bytes, offset);
  bytes_free_ += bytes;
}

void RangeAllocator::remove_free(std::map<std::uint64_t, std::uint64_t>::iterator it) {
  bytes_free_ -= it->second;
  free_by_size_.erase({it->second, it->first});
  free_.erase(it);
}

}  // namespace xfer::emulator
