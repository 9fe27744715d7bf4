#pragma once
// When a device was at work, as spans that do not overlap; gaps too short to use count as work.
//
// Cost: O(1) for work that is told in the order of its ends, O(n log n) once. Memory: 16 bytes a
// span, kMost spans; later work is not kept.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xfer {

struct Span {
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;

  std::uint64_t length() const { return end_ns > begin_ns ? end_ns - begin_ns : 0; }
};

class BusyTimes {
 public:
  /// Gaps of up to `no_gap` nanoseconds count as work.
  explicit BusyTimes(std::uint64_t no_gap = 2'000) : no_gap_(no_gap) {}

  void add(Span span);
  /// To be called once, after the last add() and before the questions.
  void settle();

  /// All work is kept.
  bool is_whole() const { return spans_.size() < kMost; }
  /// How long the device worked within the span.
  std::uint64_t within(Span span) const;
  /// The end of the last work that began before that moment; 0: there was none.
  std::uint64_t last_end_before(std::uint64_t ns) const;
  /// When the first work after that moment began; UINT64_MAX: there was none.
  std::uint64_t next_begin_after(std::uint64_t ns) const;

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  std::uint64_t no_gap_;
  std::vector<Span> spans_;
  std::vector<std::uint64_t> before_;  ///< the work of all earlier spans, of each
};

}  // namespace xfer
