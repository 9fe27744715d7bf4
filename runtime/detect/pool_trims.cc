#include "detect/pool_trims.h"

#include <utility>

namespace xfer {
namespace {

constexpr std::uint64_t kSlowNs = 50'000;  // the driver maps memory; a pool gives it in one or two
constexpr std::uint64_t kLeastSlow = 4;

}  // namespace

void PoolTrims::see(const Event& event) {
  if (is_wait(event)) ++waits_;
  const bool of_pool = (event.flags & (kAsync | kSuballocation)) == kAsync;
  if (event.kind == EventKind::kAlloc && of_pool && event.site != 0) allocated(event);
}

void PoolTrims::allocated(const Event& event) {
  const bool after_wait = std::exchange(waits_at_last_, waits_) != waits_;
  const std::uint64_t ns = duration_ns(event);
  if (!std::exchange(has_pool_, true)) return;
  Line& line = lines_[event.site];
  if (ns < kSlowNs) return;
  if (after_wait) {
    line.last = event;
    line.slow += {1, event.bytes, ns, 0, ns};
  } else {
    ++line.slow_between;
  }
}

void PoolTrims::finish() {
  for (const auto& [site, line] : lines_) {
    if (line.slow.count < kLeastSlow || line.slow_between * 4 > line.slow.count ||
        line.slow.saving_ns * 100 < scene_.in_use_ns() * scene_.options.least_trim_percent)
      continue;
    scene_.groups.charge(Rule::kAllocInLoop, Confidence::kLookAlike, Reason::kPoolTrimmed,
                         line.last, line.slow, 0);
  }
}

}  // namespace xfer
