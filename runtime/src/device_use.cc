#include "device_use.h"

#include <algorithm>
#include <utility>

namespace xfer {

void DeviceUse::add(std::int32_t device, Span span, std::uint32_t kernel) {
  if (span.length() == 0) return;
  Device& its = devices_[device];
  its.busy.add(span);
  its.in_use.begin_ns = std::min(its.in_use.begin_ns, span.begin_ns);
  its.in_use.end_ns = std::max(its.in_use.end_ns, span.end_ns);
  if (kernel == 0) return;
  Kernel& sum = kernels_[kernel];
  ++sum.count;
  sum.device_ns += span.length();
}

void DeviceUse::add_to(nlohmann::ordered_json& stats, const Trace& trace) const {
  for (const auto& [number, device] : devices_) {
    BusyTimes busy = device.busy;
    if (!busy.is_whole()) continue;
    busy.settle();
    stats["devices"].push_back({{"device", number},
                                {"in_use_ns", device.in_use.length()},
                                {"idle_ns", device.in_use.length() - busy.within(device.in_use)}});
  }
  std::vector<std::pair<std::uint32_t, Kernel>> order(kernels_.begin(), kernels_.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second.device_ns > b.second.device_ns;
  });
  if (order.size() > kMostKernels) order.resize(kMostKernels);
  for (const auto& [name, kernel] : order)
    stats["kernels_by_time"].push_back({{"name", std::string(trace.string(name))},
                                        {"count", kernel.count},
                                        {"device_ns", kernel.device_ns}});
}

}  // namespace xfer
