#pragma once
// When each device computed, filled or copied within itself, by measured times; and which streams
// have kernels. Copies across the border are not work.
//
// Cost: O(1) an event. Memory: see BusyTimes.

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "detect/busy_times.h"
#include "detect/remembered.h"
#include "xfer/event.h"

namespace xfer {

class DeviceWork {
 public:
  void see(const Event& event);
  /// Events were lost.
  void forget() { calls_.clear(); }
  /// To be called once, after the last event and before the questions.
  void settle();

  /// Null: the device is not known to have worked.
  const BusyTimes* of(std::int16_t device) const;
  bool has_kernels(std::int16_t device, std::uint64_t stream) const {
    return computing_.contains({device, stream});
  }
  /// From the first work or copy of any device to the last.
  Span in_use() const { return in_use_; }
  /// How long the device did something in that time.
  std::uint64_t within(std::int16_t device, Span span) const;
  /// How long the device idled after a wait of the host for its work, as far as the wait explains
  /// that: without it the host could have been so much ahead. 0: the device was idle anyway.
  std::uint64_t drained_ns(std::int16_t device, Span wait) const;

 private:
  Remembered<std::uint64_t, std::int16_t> calls_{std::size_t{1} << 18};  ///< whose time is to come
  std::map<std::int16_t, BusyTimes> busy_;
  std::set<std::pair<std::int16_t, std::uint64_t>> computing_;
  Span in_use_{UINT64_MAX, 0};
};

}  // namespace xfer
