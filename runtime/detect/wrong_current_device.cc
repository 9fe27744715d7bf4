#include "detect/wrong_current_device.h"

namespace xfer {

void WrongCurrentDevice::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kLaunch: launch(event); break;
    case EventKind::kPeerAccess:
      if (event.device < 0 || event.source_device < 0) all_are_peers_ = true;
      peers_.insert({event.device, event.source_device});
      break;
    default: break;
  }
}

void WrongCurrentDevice::launch(const Event& event) {
  if (all_are_peers_) return;
  for (const Event& argument : scene_.arguments) {
    if (argument.correlation != event.correlation) continue;
    const Allocation* const given = scene_.given_memory(argument);
    if (given == nullptr || given->device == event.device ||
        peers_.count({event.device, given->device}) != 0)
      continue;
    Event call = event;
    call.source_device = given->device;
    scene_.groups.charge(Rule::kWrongCurrentDevice, Confidence::kLookAlike, Reason::kMemoryOfOther,
                         call, {1, 0, duration_ns(event), 0, 0}, given->site);
    return;
  }
}

void WrongCurrentDevice::failed(const Event& event) {
  if (event.kind != EventKind::kLaunch) return;
  const auto made_on = scene_.order.made_on(event.stream);
  if (!made_on || *made_on == event.device) return;
  Event call = event;
  call.source_device = static_cast<std::int16_t>(*made_on);
  scene_.groups.charge(Rule::kWrongCurrentDevice, Confidence::kProven, Reason::kStreamOfOther, call,
                       {1, 0, duration_ns(event), 0, 0}, 0);
}

}  // namespace xfer
