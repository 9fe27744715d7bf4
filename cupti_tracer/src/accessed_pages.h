#pragma once
// Whether memory was accessed since a moment: by code of this process or by the system on its
// behalf. The processor marks each page that is accessed; the kernel clears the marks (MADV_COLD,
// from 5.4 on) and shows them (/proc/self/smaps). Nothing is protected, so nothing can fail: the
// pages keep their content and their rights, and are given their own entry in the list of mappings.
//
// It says "accessed" wherever that is not certain: neighbours on the same pages were; the memory is
// shared, a file, or mapped anew; the kernel looked for pages to reclaim, for which it clears the
// marks too; the process forked, and its child may look; a network card may read memory by itself.
//
// Thread-safe. Cost: a mark 3 us. A question 0.1 ms in a small process, tens of milliseconds in
// one with thousands of mappings and gigabytes: it is bounded by a share of the run's time, and
// after that nothing is watched.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace xfer::tracer {

class AccessedPages {
 public:
  /// Questions may take this many percent of the run's time; 100 and more: no limit.
  explicit AccessedPages(std::uint64_t percent = 2) : percent_(percent) {}

  /// Adjacent ones of one kind are one entry in the list of mappings: if one was accessed, so were
  /// both.
  enum class Kind : std::uint8_t { kRandom, kSequential };

  /// Pages that are marked as not accessed.
  struct Marked {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t forks = 0;  ///< of the process by then
    Kind kind = Kind::kRandom;

    bool shares_page_with(const Marked& other) const {
      return begin < other.end && other.begin < end;
    }
    bool touches(const Marked& other) const { return begin == other.end || other.begin == end; }
  };

  /// The pages that the bytes lie on.
  static Marked pages_of(std::uint64_t address, std::uint64_t bytes);
  /// False where they cannot be, or there is no time.
  bool mark(Marked& pages);
  /// For each, whether it was or may have been accessed since.
  std::vector<bool> accessed(std::span<const Marked> marked);
  /// They are as all others again.
  static void release(const Marked& marked);
  /// As before, where some were released with others.
  static void keep(const Marked& marked);

 private:
  bool works();
  bool has_time() const;

  const std::uint64_t percent_;
  enum class Works : std::uint8_t { kUnknown, kNo, kYes };
  std::atomic<Works> works_{Works::kUnknown};
  std::atomic<std::uint64_t> scans_{0};     // of the kernel's, for pages to reclaim, at first
  std::atomic<std::uint64_t> asked_ns_{0};  // what questions have cost of processors' time
  std::atomic<std::uint64_t> begin_ns_{0};  // of the first
};

}  // namespace xfer::tracer
