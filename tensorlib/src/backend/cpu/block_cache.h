#pragma once
// Large blocks that tensors gave back, kept for the next ones. The system clears fresh memory page
// by page, which costs more than most of what is computed in it: 16 MiB take 4 ms to come and 1 ms
// to add. Holds at most kMost bytes; thread-safe. Under sanitizers it keeps nothing, so that they
// see each use of a freed block.

#include <cstddef>
#include <mutex>
#include <vector>

namespace tensorlib::cpu {

class BlockCache {
 public:
  static constexpr size_t kSmallest = size_t{1} << 20;
  static constexpr size_t kMost = size_t{128} << 20;

  /// The real size of a block for `nbytes`, at most an eighth more: blocks of one size serve each
  /// other.
  static size_t size_of(size_t nbytes) noexcept;

  /// A block that was kept; null: there is none of that size.
  void* take(size_t nbytes) noexcept;
  /// Keeps the block, in place of older ones when there is no room. False: it is not for this
  /// cache.
  bool keep(void* block, size_t nbytes) noexcept;
  /// Gives all back to the system.
  void clear() noexcept;

  ~BlockCache() { clear(); }

 private:
  struct Block {
    void* data;
    size_t size;
  };

  std::mutex mutex_;
  std::vector<Block> blocks_;  ///< the oldest first
  size_t held_ = 0;
};

}  // namespace tensorlib::cpu
