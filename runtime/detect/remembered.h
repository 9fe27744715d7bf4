#pragma once
// A hash map that forgets its oldest entries: a fixed bound on what is remembered, whatever the
// length of the trace. All operations O(1).

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

namespace xfer {

template <class Key, class Value, class Hash = std::hash<Key>>
class Remembered {
 public:
  explicit Remembered(std::size_t capacity) : capacity_(capacity) {}

  /// Null when there is none (any more).
  Value* find(const Key& key) {
    const auto found = index_.find(key);
    return found != index_.end() ? &found->second->second : nullptr;
  }
  void put(const Key& key, Value value) {
    erase(key);
    if (index_.size() >= capacity_) erase(Key(entries_.back().first));
    entries_.emplace_front(key, std::move(value));
    index_.emplace(key, entries_.begin());
  }
  void erase(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    entries_.erase(found->second);
    index_.erase(found);
  }
  void clear() {
    index_.clear();
    entries_.clear();
  }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  using Entries = std::list<std::pair<Key, Value>>;  // newest first
  std::size_t capacity_;
  Entries entries_;
  std::unordered_map<Key, typename Entries::iterator, Hash> index_;
};

/// A range of memory on one side, seen from a device.
struct RangeKey {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::int32_t device = 0;

  bool operator==(const RangeKey&) const = default;
};

struct RangeKeyHash {
  std::size_t operator()(const RangeKey& key) const {
    std::uint64_t mixed = key.address * 0x9e3779b97f4a7c15ull;
    mixed ^= (key.bytes << 8 ^ static_cast<std::uint32_t>(key.device)) * 0xc2b2ae3d27d4eb4full;
    return mixed ^ mixed >> 29;
  }
};

}  // namespace xfer
