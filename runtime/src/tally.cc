#include "xfer/tally.h"

namespace xfer {
namespace {

bool on_device(Space space) { return space == Space::kDevice || space == Space::kManaged; }

}  // namespace

Direction direction_of(const Event& copy) {
  if (is_host(copy.source_space) && on_device(copy.space)) return Direction::kHostToDevice;
  if (on_device(copy.source_space) && is_host(copy.space)) return Direction::kDeviceToHost;
  if (!on_device(copy.source_space) || !on_device(copy.space)) return Direction::kOther;
  return copy.device == copy.source_device || copy.source_device < 0 ? Direction::kWithinDevice
                                                                     : Direction::kBetweenDevices;
}

void Tally::add(const Event& event) {
  if ((event.flags & (kFailed | kCaptured)) != 0) return;
  if (event.kind == EventKind::kCopy) {
    const Direction direction = direction_of(event);
    if (direction == Direction::kOther) return;
    const std::size_t bytes = 2 * static_cast<std::size_t>(direction);
    of[bytes] += event.bytes;
    ++of[bytes + 1];
  }
  if (event.kind == EventKind::kLaunch) ++of[kLaunches];
  if (is_wait(event)) ++of[kSyncs];
  if (is_host_wait(event)) ++of[kHostWaits];
  if (is_device_allocation(event)) ++of[kAllocations];
}

}  // namespace xfer
