#include "memory_map.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "xfer/signal_lock.h"

namespace xfer::tracer {

MemoryMap::Ranges::iterator MemoryMap::containing(std::uint64_t address) {
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return ranges_.end();
  const auto candidate = std::prev(next);
  return address < candidate->second.end ? candidate : ranges_.end();
}

void MemoryMap::insert(const Allocation& allocation) {
  if (allocation.begin >= allocation.end) return;
  const std::lock_guard lock(mutex_);
  ++changes_;
  auto first = containing(allocation.begin);
  if (first == ranges_.end()) first = ranges_.lower_bound(allocation.begin);
  while (first != ranges_.end() && first->first < allocation.end) first = ranges_.erase(first);
  Allocation& made = ranges_.emplace(allocation.begin, allocation).first->second;
  if (made.serial == 0) made.serial = changes_;
  if (is_host(allocation.space)) return;
  WordRange& all = device_addresses_;
  const std::uint64_t end =
      std::max(allocation.end, all.span != 0 ? all.lowest + all.span : allocation.end);
  all.lowest = all.span != 0 ? std::min(all.lowest, allocation.begin) : allocation.begin;
  all.span = end - all.lowest;
}

std::optional<Allocation> MemoryMap::erase(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = ranges_.find(address);
  if (found == ranges_.end()) return std::nullopt;
  const Allocation allocation = found->second;
  ++changes_;
  ranges_.erase(found);
  return allocation;
}

std::optional<Allocation> MemoryMap::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = const_cast<MemoryMap*>(this)->containing(address);
  if (found == ranges_.end()) return std::nullopt;
  return found->second;
}

std::optional<Allocation> MemoryMap::find_from_signal(std::uint64_t address) const {
  const std::unique_lock lock = lock_from_signal(mutex_);
  if (!lock.owns_lock()) return std::nullopt;
  const auto found = const_cast<MemoryMap*>(this)->containing(address);
  if (found != ranges_.end()) return found->second;
  if (address - device_addresses_.lowest >= device_addresses_.span) return std::nullopt;
  Allocation somewhere;
  somewhere.space = Space::kDevice;
  return somewhere;
}

WordRange MemoryMap::device_addresses() const {
  const std::lock_guard lock(mutex_);
  return device_addresses_;
}

bool MemoryMap::holds_device_pointer(const void* data, std::uint64_t bytes) const {
  const WordRange range = device_addresses();
  if (!holds_word(data, bytes, range)) return false;
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::uint64_t i = 0; i < bytes / sizeof(std::uint64_t); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + i * sizeof(word), sizeof(word));
    if (word - range.lowest >= range.span) continue;
    const std::optional<Allocation> found = find(word);
    if (found && !is_host(found->space)) return true;
  }
  return false;
}

void MemoryMap::share(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  if (const auto found = containing(address); found != ranges_.end()) found->second.shared = true;
}

std::vector<Allocation> MemoryMap::erase_device(std::int16_t device) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  std::vector<Allocation> gone;
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    if (it->second.device != device) {
      ++it;
      continue;
    }
    gone.push_back(it->second);
    it = ranges_.erase(it);
  }
  return gone;
}

}  // namespace xfer::tracer
