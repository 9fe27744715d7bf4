#pragma once
// Hands out ranges of a fixed address space: best fit, neighbours merged on release, so that freed
// ranges are used again and a full device says so. Offsets only; it never touches the memory.
// Cost: O(log n) a call. Not thread-safe.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace xfer::emulator {

class RangeAllocator {
 public:
  struct Range {
    std::uint64_t offset;
    std::uint64_t bytes;  ///< as asked for
  };

  static constexpr std::uint64_t kAlignment = 512;  ///< what cudaMalloc gives in practice

  explicit RangeAllocator(std::uint64_t bytes);

  /// The range's offset, or nothing when no free range is large enough. `bytes` is not 0.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);

  /// The released range, or nothing when `offset` does not begin a live one.
  std::optional<Range> release(std::uint64_t offset);

  /// The live range that holds `offset`.
  std::optional<Range> find(std::uint64_t offset) const;

  /// The live range that begins last at or before `offset`, whether it reaches it or not.
  std::optional<Range> find_before(std::uint64_t offset) const;

  std::uint64_t bytes_free() const { return bytes_free_; }
  /// Calls visit(Range) for every live range, in the order of their offsets.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [offset, bytes] : live_) visit(Range{offset, bytes});
  }
  std::size_t live_ranges() const { return live_.size(); }

 private:
  static std::uint64_t rounded(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  void add_free(std::uint64_t offset, std::uint64_t bytes);
  void remove_free(std::map<std::uint64_t, std::uint64_t>::iterator it);

  std::map<std::uint64_t, std::uint64_t> live_;  // offset -> bytes as asked for
  std::map<std::uint64_t, std::uint64_t> free_;  // offset -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_by_size_;
  std::uint64_t bytes_free_ = 0;
};

}  // namespace xfer::emulator
