#include "detect/device_work.h"

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

}  // namespace xfer
