#include "detect/busy_times.h"

namespace xfer {

void BusyTimes::add(Span span) {
  if (!spans_.empty()) {
    Span& last = spans_.back();
    if (span.begin_ns >= last.begin_ns && span.begin_ns <= last.end_ns + no_gap_) {
      last.end_ns = std::max(last.end_ns, span.end_ns);
      return;
    }
  }
  if (spans_.size() < kMost) spans_.push_back(span);
}

void BusyTimes::settle() {
  std::sort(spans_.begin(), spans_.end(),
            [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; });
  std::size_t kept = 0;
  for (const Span& span : spans_) {
    if (kept != 0 && span.begin_ns <= spans_[kept - 1].end_ns + no_gap_)
      spans_[kept - 1].end_ns = std::max(spans_[kept - 1].end_ns, span.end_ns);
    else
      spans_[kept++] = span;
  }
  spans_.resize(kept);
  before_.reserve(kept);
  std::uint64_t sum = 0;
  for (const Span& span : spans_) {
    before_.push_back(sum);
    sum += span.length();
  }
}

std::uint64_t BusyTimes::within(Span span) const {
  const auto until = [&](std::uint64_t ns) {
    const auto after = std::upper_bound(
        spans_.begin(), spans_.end(), ns,
        [](std::uint64_t moment, const Span& other) { return moment < other.begin_ns; });
    if (after == spans_.begin()) return std::uint64_t{0};
    const auto at = static_cast<std::size_t>(after - spans_.begin()) - 1;
    return before_[at] + std::min(ns, spans_[at].end_ns) - spans_[at].begin_ns;
  };
  return span.end_ns > span.begin_ns ? until(span.end_ns) - until(span.begin_ns) : 0;
}

std::uint64_t BusyTimes::last_end_before(std::uint64_t ns) const {
  const auto after = std::lower_bound(
      spans_.begin(), spans_.end(), ns,
      [](const Span& other, std::uint64_t moment) { return other.begin_ns < moment; });
  return after == spans_.begin() ? 0 : std::prev(after)->end_ns;
}

std::uint64_t BusyTimes::next_begin_after(std::uint64_t ns) const {
  const auto next = std::lower_bound(
      spans_.begin(), spans_.end(), ns,
      [](const Span& other, std::uint64_t moment) { return other.begin_ns < moment; });
  return next == spans_.end() ? UINT64_MAX : next->begin_ns;
}

}  // namespace xfer
