#include "machine/range_allocator.h"

#include <algorithm>
#include <iterator>

namespace xfer::emulator {

RangeAllocator::RangeAllocator(std::uint64_t bytes, Distance distance) : distance_(distance) {
  add_free(0, bytes / kAlignment * kAlignment);
}

std::optional<std::uint64_t> RangeAllocator::allocate(std::uint64_t bytes) {
  if (bytes > bytes_free()) return std::nullopt;  // also keeps rounding from overflowing
  auto offset = take(bytes);
  while (!offset && !quarantined_.empty()) {
    free_oldest();
    offset = take(bytes);
  }
  return offset;
}

std::optional<std::uint64_t> RangeAllocator::take(std::uint64_t bytes) {
  const std::uint64_t needed = rounded(bytes);
  const auto fit = free_by_size_.lower_bound({needed, 0});
  if (fit == free_by_size_.end()) return std::nullopt;
  const auto [size, offset] = *fit;
  const std::uint64_t taken = std::min(needed + distance_.gap, size);
  remove_free(free_.find(offset));
  if (size > taken) add_free(offset + taken, size - taken);
  live_.emplace(offset, Live{bytes, taken});
  highest_ = std::max(highest_, offset + bytes);
  return offset;
}

std::optional<RangeAllocator::Range> RangeAllocator::release(std::uint64_t offset) {
  const auto it = live_.find(offset);
  if (it == live_.end()) return std::nullopt;
  const Range range{offset, it->second.bytes};
  quarantined_.emplace_back(offset, it->second.taken);
  quarantined_bytes_ += it->second.taken;
  live_.erase(it);
  while (quarantined_.size() > distance_.quarantine ||
         quarantined_bytes_ > distance_.quarantine_bytes)
    free_oldest();
  return range;
}

void RangeAllocator::free_oldest() {
  const auto [offset, bytes] = quarantined_.front();
  quarantined_.pop_front();
  quarantined_bytes_ -= bytes;
  merge_free(offset, offset + bytes);
}

void RangeAllocator::merge_free(std::uint64_t begin, std::uint64_t end) {
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
}

std::optional<RangeAllocator::Range> RangeAllocator::find_before(std::uint64_t offset) const {
  auto it = live_.upper_bound(offset);
  if (it == live_.begin()) return std::nullopt;
  --it;
  return Range{it->first, it->second.bytes};
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
