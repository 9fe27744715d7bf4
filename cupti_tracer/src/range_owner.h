#pragma once
// Ranges that one thread starts and another may end (NVTX's process ranges). Each is a scope of the
// thread that started it, and that thread is told of its end when it next does something: what it
// did in the range is known by then. Thread-safe.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace xfer::tracer {

/// A thread that starts such ranges.
class RangeOwner {
 public:
  using RangeId = std::uint64_t;

  /// Null: there are too many. To be given back when the thread ends.
  static RangeOwner* take() noexcept;
  void give_back() noexcept;

  /// The id for all threads of one of the owner's ranges, which it numbers from 1; never 0.
  RangeId range_of(std::uint32_t number) const noexcept;
  /// The number of the owner's range; 0: it is another's.
  std::uint32_t number_of(RangeId range) const noexcept;
  /// Another thread has ended this range, whoever's it is, or was.
  static void tell_of_end(RangeId range) noexcept;

  bool has_ends() const noexcept { return has_ends_.load(std::memory_order_relaxed); }
  /// The numbers of ranges that other threads ended since they were last asked for.
  std::vector<std::uint32_t> take_ends();

 private:
  std::atomic<bool> has_ends_{false};
  std::mutex mutex_;
  std::vector<std::uint32_t> ends_;
  std::uint32_t index_ = 0;
  std::atomic<std::uint32_t> turn_{0};  // how many threads had it before: old names mean nothing
  std::atomic<bool> taken_{false};
};

}  // namespace xfer::tracer
