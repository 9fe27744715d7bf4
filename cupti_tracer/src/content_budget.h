#pragma once
// How much time may go into reading what copies carry: a share of the time that the program has run,
// and a little to begin with, so that short programs are looked at in full. While half of it is
// left, every copy is read. After that a copy is sampled first, and read in full only when one of
// its size and sample was seen before: content that repeats is worth the rest.
//
// Cost: two clock readings a copy, and a sample of 2 KiB where not everything is read. Thread-safe,
// no locks. Memory: 128 KiB; of samples, the youngest of each place in a table.

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

  /// `percent` of the run time; 100 and more: no limit. `clock`: nanoseconds, for tests.
  explicit ContentBudget(std::uint64_t percent, std::uint64_t (*clock)() = nullptr);

  /// Whether so many bytes at `data`, which can be read, are worth reading now. Counts those that
  /// are not.
  bool wants(const void* data, std::uint64_t bytes);
  /// The same without a sample: half of the budget is for others.
  bool affords(std::uint64_t bytes) const;

  /// Content is being read: counts the time from here to its end.
  class Reading {
   public:
    Reading(ContentBudget& budget, std::uint64_t bytes)
        : budget_(budget), bytes_(bytes), begin_(budget.clock_()) {}
    ~Reading() { budget_.spend(bytes_, budget_.clock_() - begin_); }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    ContentBudget& budget_;
    std::uint64_t bytes_;
    std::uint64_t begin_;
  };

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

  bool affords(std::uint64_t bytes, Part part) const;
  bool seen(std::uint64_t sample);
  void spend(std::uint64_t bytes, std::uint64_t ns);

  std::uint64_t percent_;
  std::uint64_t (*clock_)();
  std::uint64_t begin_;
  std::atomic<std::uint64_t> read_bytes_{0};
  std::atomic<std::uint64_t> read_ns_{0};
  std::atomic<std::uint64_t> skipped_copies_{0};
  std::atomic<std::uint64_t> skipped_bytes_{0};
  std::unique_ptr<std::array<std::atomic<std::uint64_t>, kSamples>> samples_;
};

}  // namespace xfer::tracer
