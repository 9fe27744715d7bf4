#pragma once
// A map as a sorted vector: the states of the flow analysis are small, copied often and compared.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace xfer::analyzer {

template <class Key, class Mapped>
class FlatMap {
 public:
  using Entry = std::pair<Key, Mapped>;
  using iterator = typename std::vector<Entry>::iterator;
  using const_iterator = typename std::vector<Entry>::const_iterator;

  iterator begin() { return entries_.begin(); }
  iterator end() { return entries_.end(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }

  const Mapped* find(const Key& key) const {
    const auto at = lower(entries_.begin(), entries_.end(), key);
    return at != entries_.end() && at->first == key ? &at->second : nullptr;
  }
  Mapped* find(const Key& key) {
    return const_cast<Mapped*>(static_cast<const FlatMap*>(this)->find(key));
  }
  Mapped& operator[](const Key& key) {
    auto at = lower(entries_.begin(), entries_.end(), key);
    if (at == entries_.end() || !(at->first == key)) at = entries_.insert(at, {key, Mapped{}});
    return at->second;
  }
  void erase(const Key& key) {
    const auto at = lower(entries_.begin(), entries_.end(), key);
    if (at != entries_.end() && at->first == key) entries_.erase(at);
  }
  template <class Predicate>
  void erase_if(Predicate predicate) {
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(), predicate), entries_.end());
  }

  friend bool operator==(const FlatMap&, const FlatMap&) = default;

 private:
  template <class Iterator>
  static Iterator lower(Iterator first, Iterator last, const Key& key) {
    return std::lower_bound(first, last, key,
                            [](const Entry& entry, const Key& k) { return entry.first < k; });
  }

  std::vector<Entry> entries_;
};

}  // namespace xfer::analyzer
