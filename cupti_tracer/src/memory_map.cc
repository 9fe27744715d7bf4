#include "memory_map.h"

#include <algorithm>
#include <cstring>
#include <iterator>

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
  auto first = containing(allocation.begin);
  if (first == ranges_.end()) first = ranges_.lower_bound(allocation.begin);
  while (first != ranges_.end() && first->first < allocation.end) first = ranges_.erase(first);
  ranges_.emplace(allocation.begin, allocation);
}

std::optional<Allocation> MemoryMap::erase(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = ranges_.find(address);
  if (found == ranges_.end()) return std::nullopt;
  const Allocation allocation = found->second;
  ranges_.erase(found);
  return allocation;
}

std::optional<Allocation> MemoryMap::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = const_cast<MemoryMap*>(this)->containing(address);
  if (found == ranges_.end()) return std::nullopt;
  return found->second;
}

bool MemoryMap::holds_device_pointer(const void* data, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  if (ranges_.empty()) return false;
  const std::uint64_t lowest = ranges_.begin()->second.begin;
  const std::uint64_t span = ranges_.rbegin()->second.end - lowest;
  const auto* at = static_cast<const unsigned char*>(data);
  const auto word_at = [at](std::uint64_t index) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + index * sizeof(word), sizeof(word));
    return word;
  };
  const auto is_device_pointer = [this](std::uint64_t word) {
    const auto found = const_cast<MemoryMap*>(this)->containing(word);
    return found != ranges_.end() && !is_host(found->second.space);
  };
  // Hardly a word lies near any allocation: eight are looked at with one branch.
  constexpr std::uint64_t kStep = 8;
  const std::uint64_t words = bytes / sizeof(std::uint64_t);
  for (std::uint64_t index = 0; index < words; index += kStep) {
    const std::uint64_t end = std::min(words, index + kStep);
    bool near = false;
    for (std::uint64_t i = index; i < end; ++i) near |= word_at(i) - lowest < span;
    if (!near) continue;
    for (std::uint64_t i = index; i < end; ++i)
      if (word_at(i) - lowest < span && is_device_pointer(word_at(i))) return true;
  }
  return false;
}

void MemoryMap::share(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (const auto found = containing(address); found != ranges_.end()) found->second.shared = true;
}

std::vector<Allocation> MemoryMap::erase_device(std::int16_t device) {
  const std::lock_guard lock(mutex_);
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
