#include "content_budget.h"

#include "host_clock.h"
#include "xfer/content_hash.h"

namespace xfer::tracer {
namespace {

constexpr std::uint64_t kAllowanceNs = 50'000'000;  // whatever the run time
constexpr std::uint64_t kFirstBytesPerUs = 8'000;   // read, until it was measured

}  // namespace

ContentBudget::ContentBudget(std::uint64_t percent, Clock clock, Clock work)
    : percent_(percent),
      clock_(clock != nullptr ? clock : &host_clock_ns),
      work_(work != nullptr ? work : &thread_work_ns),
      begin_(clock_()),
      samples_(std::make_unique<std::array<std::atomic<std::uint64_t>, kSamples>>()) {}

bool ContentBudget::affords_part(std::uint64_t bytes, Part part) const {
  if (bytes <= kAlwaysBytes || percent_ >= 100) return true;
  if (percent_ == 0) return false;
  const std::uint64_t read_ns = read_ns_.load(std::memory_order_relaxed);
  const std::uint64_t read_bytes = read_bytes_.load(std::memory_order_relaxed);
  const double bytes_per_ns = read_ns > 1'000'000
                                  ? static_cast<double>(read_bytes) / static_cast<double>(read_ns)
                                  : kFirstBytesPerUs / 1e3;
  const double takes = static_cast<double>(bytes) / bytes_per_ns;
  const auto run = static_cast<double>(clock_() - begin_);
  double limit = kAllowanceNs + run * static_cast<double>(percent_) / 100;
  if (part == Part::kHalf) limit /= 2;
  return static_cast<double>(read_ns) + takes <= limit;
}

bool ContentBudget::affords(std::uint64_t bytes) const { return affords_part(bytes, Part::kWhole); }

bool ContentBudget::wants(const void* data, std::uint64_t bytes) {
  if (affords_part(bytes, Part::kHalf)) return true;
  if (percent_ != 0 && data != nullptr && seen(content_sample(data, bytes)) && affords(bytes))
    return true;
  skipped_copies_.fetch_add(1, std::memory_order_relaxed);
  skipped_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return false;
}

bool ContentBudget::seen(std::uint64_t sample) {
  std::atomic<std::uint64_t>& place = (*samples_)[sample % kSamples];
  return place.exchange(sample, std::memory_order_relaxed) == sample;
}

ContentBudget::Account ContentBudget::account() const {
  return {read_bytes_.load(), read_ns_.load(), skipped_copies_.load(), skipped_bytes_.load()};
}

}  // namespace xfer::tracer
