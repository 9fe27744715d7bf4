#include "detect/wrong_current_device.h"

namespace xfer {

void WrongCurrentDevice::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kLaunchArg:
      // One past the end of an allocation is an address that belongs to it.
      if (const Allocation* before =
              event.address != 0 ? scene_.memory.find(event.address - 1) : nullptr;
          before != nullptr && before->end == event.address)
        break;
      if (const Allocation* given = scene_.memory.find(event.address))
        arguments_.push_back({event.correlation, given->device, given->site});
      break;
    case EventKind::kLaunch: launch(event); break;
    case EventKind::kPeerAccess:
      if (event.device < 0 || event.source_device < 0) all_are_peers_ = true;
      peers_.insert({event.device, event.source_device});
      break;
    default: break;
  }
}

void WrongCurrentDevice::launch(const Event& event) {
  for (const Argument& argument : arguments_) {
    if (argument.correlation != event.correlation || argument.device == event.device ||
        all_are_peers_ || peers_.count({event.device, argument.device}) != 0)
      continue;
    Event call = event;
    call.source_device = argument.device;
    scene_.groups.charge(Rule::kWrongCurrentDevice, Confidence::kLookAlike, Reason::kMemoryOfOther,
                         call, {1, 0, duration_ns(event), 0, 0}, argument.site);
    break;
  }
  arguments_.clear();
}

void WrongCurrentDevice::failed(const Event& event) {
  if (event.kind != EventKind::kLaunch) return;
  arguments_.clear();
  const auto made_on = scene_.order.made_on(event.stream);
  if (!made_on || *made_on == event.device) return;
  Event call = event;
  call.source_device = static_cast<std::int16_t>(*made_on);
  scene_.groups.charge(Rule::kWrongCurrentDevice, Confidence::kProven, Reason::kStreamOfOther, call,
                       {1, 0, duration_ns(event), 0, 0}, 0);
}

// What was enabled may be among what was lost.
void WrongCurrentDevice::forget() {
  arguments_.clear();
  all_are_peers_ = true;
}

}  // namespace xfer
