#include "device_variables.h"

#include <algorithm>

namespace xfer::tracer {

bool DeviceVariables::add(const DeviceVariable& variable, std::int16_t device) {
  const std::lock_guard lock(mutex_);
  const bool known = std::any_of(seen_.begin(), seen_.end(), [&](const auto& seen) {
    return seen.first.begin == variable.begin && seen.second == device;
  });
  if (!known) seen_.emplace_back(variable, device);
  return !known;
}

std::vector<DeviceVariable> DeviceVariables::on(std::int16_t device) const {
  std::vector<DeviceVariable> found;
  const std::lock_guard lock(mutex_);
  for (const auto& [variable, its_device] : seen_)
    if (its_device == device) found.push_back(variable);
  return found;
}

}  // namespace xfer::tracer
