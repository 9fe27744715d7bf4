#include "detect/device_work.h"

#include <algorithm>

namespace xfer {

void DeviceWork::see(const Event& event) {
  const bool copies_there =
      event.kind == EventKind::kCopy && !is_host(event.space) && !is_host(event.source_space);
  if (event.kind == EventKind::kLaunch) computing_.emplace(event.device, event.stream);
  if (event.kind == EventKind::kLaunch || event.kind == EventKind::kSet || copies_there)
    return calls_.put(event.correlation, event.device);
  if (event.kind != EventKind::kDeviceTime) return;
  in_use_.begin_ns = std::min(in_use_.begin_ns, event.begin_ns);
  in_use_.end_ns = std::max(in_use_.end_ns, event.end_ns);
  if (const std::int16_t* const device = calls_.find(event.correlation))
    busy_[*device].add({event.begin_ns, event.end_ns});
}

void DeviceWork::settle() {
  for (auto& [device, busy] : busy_) busy.settle();
}

const BusyTimes* DeviceWork::of(std::int16_t device) const {
  const auto found = busy_.find(device);
  return found != busy_.end() ? &found->second : nullptr;
}

std::uint64_t DeviceWork::within(std::int16_t device, Span span) const {
  const BusyTimes* const busy = of(device);
  return busy != nullptr ? busy->within(span) : 0;
}

std::uint64_t DeviceWork::drained_ns(std::int16_t device, Span wait) const {
  const BusyTimes* const work = of(device);
  if (work == nullptr || work->within(wait) * 2 < wait.length()) return 0;
  const std::uint64_t last = work->last_end_before(wait.end_ns);
  const std::uint64_t next = work->next_begin_after(wait.end_ns);
  return next == UINT64_MAX || next <= last ? 0 : std::min(next - last, wait.length());
}

}  // namespace xfer
