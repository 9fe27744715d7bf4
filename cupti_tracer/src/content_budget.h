#pragma once
// How much time may go into reading what copies carry: a share of the time that the program has
// run, and a little to begin with, so that short programs are looked at in full. While half of it
// is left, every copy is read. After that a copy is sampled first, and read in full only when one
// of its size and sample was seen before: content that repeats is worth the rest. Reading counts in
// processor time: on a busy machine a thread that waits for its turn spends nothing.
//
// Cost: four clock readings a copy, and a sample of 2 KiB where not everything is read.
// Thread-safe, no locks. Memory: 128 KiB; of samples, the youngest of each place in a table.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace xfer::tracer {

class ContentBudget {
 public:
  /// Reads what costs less than to think about it.
  static constexpr std::uint64_t kAlwaysBytes = 4096;

  using Clock = std::uint64_t (*)();

  /// `percent` of the run time; 100 and more: no limit. For tests, in nanoseconds: the run's
  /// `clock`, and that of the calling thread's `work`.
  explicit ContentBudget(std::uint64_t percent, Clock clock = nullptr, Clock work = nullptr);

  /// Whether so many bytes at `data`, which can be read, are worth reading now. Counts those that
  /// are not. Null: they cannot be sampled.
  bool wants(const void* data, std::uint64_t bytes);
  /// Whether there is time for so many bytes at all.
  bool affords(std::uint64_t bytes) const;

  /// Reads content by `read` and counts the time. Gives how much later it is then, in nanoseconds;
  /// of little content, 0.
  template <class Read>
  std::uint64_t spend(std::uint64_t bytes, Read&& read) {
    const bool measured = bytes > kAlwaysBytes;
    const std::uint64_t begin = measured ? clock_() : 0;
    const std::uint64_t work = measured ? work_() : 0;
    read();
    if (measured) read_ns_.fetch_add(work_() - work, std::memory_order_relaxed);
    read_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    return measured ? clock_() - begin : 0;
  }

  struct Account {
    std::uint64_t read_bytes = 0;
    std::uint64_t read_ns = 0;
    std::uint64_t skipped_copies = 0;
    std::uint64_t skipped_bytes = 0;
  };
  Account account() const;

 private:
  static constexpr std::size_t kSamples = std::size_t{1} << 14;
  enum class Part : std::uint8_t { kHalf, kWhole };

  bool affords_part(std::uint64_t bytes, Part part) const;
  bool seen(std::uint64_t sample);

  std::uint64_t percent_;
  Clock clock_;
  Clock work_;
  std::uint64_t begin_;
  std::atomic<std::uint64_t> read_bytes_{0};
  std::atomic<std::uint64_t> read_ns_{0};
  std::atomic<std::uint64_t> skipped_copies_{0};
  std::atomic<std::uint64_t> skipped_bytes_{0};
  std::unique_ptr<std::array<std::atomic<std::uint64_t>, kSamples>> samples_;
};

}  // namespace xfer::tracer
