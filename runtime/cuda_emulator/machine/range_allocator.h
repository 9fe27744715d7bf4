#pragma once
// Hands out ranges of a fixed address space: best fit, neighbours merged on release, so that freed
// ranges are used again and a full device says so. Where there is room a gap follows a range, and
// one that is released rests for a while. Offsets only; it never touches the memory.
// Cost: O(log n) a call. Not thread-safe.

#include <cstdint>
#include <deque>
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

  /// Keeps a stale address from meaning another range.
  struct Distance {
    std::uint64_t gap = 0;       ///< bytes behind a range, a multiple of the alignment
    std::size_t quarantine = 0;  ///< of as many released ranges, the last, while there is room
    std::uint64_t quarantine_bytes = 0;
  };
  explicit RangeAllocator(std::uint64_t bytes, Distance distance);
  explicit RangeAllocator(std::uint64_t bytes) : RangeAllocator(bytes, Distance()) {}

  /// The range's offset, or nothing when no free range is large enough. `bytes` is not 0.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);

  /// The released range, or nothing when `offset` does not begin a live one.
  std::optional<Range> release(std::uint64_t offset);

  /// The live range that holds `offset`.
  std::optional<Range> find(std::uint64_t offset) const;

  /// The live range that begins last at or before `offset`, whether it reaches it or not.
  std::optional<Range> find_before(std::uint64_t offset) const;

  std::uint64_t bytes_free() const { return bytes_free_ + quarantined_bytes_; }
  /// Calls visit(Range) for every live range, in the order of their offsets.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [offset, range] : live_) visit(Range{offset, range.bytes});
  }
  std::size_t live_ranges() const { return live_.size(); }
  /// No range ever reached further.
  std::uint64_t highest() const { return highest_; }

 private:
  static std::uint64_t rounded(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  /// Ends the quarantine of the oldest range.
  void free_oldest();
  /// Merges it with its neighbours.
  void merge_free(std::uint64_t begin, std::uint64_t end);
  void add_free(std::uint64_t offset, std::uint64_t bytes);
  void remove_free(std::map<std::uint64_t, std::uint64_t>::iterator it);

  struct Live {
    std::uint64_t bytes;  ///< as asked for
    std::uint64_t taken;
  };
  std::map<std::uint64_t, Live> live_;           // by offset
  std::map<std::uint64_t, std::uint64_t> free_;  // offset -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_by_size_;
  std::uint64_t bytes_free_ = 0;
  std::uint64_t highest_ = 0;
  Distance distance_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> quarantined_;  // offset, bytes
  std::uint64_t quarantined_bytes_ = 0;
};

}  // namespace xfer::emulator
