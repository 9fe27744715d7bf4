#include "detect/host_access.h"

namespace xfer {
namespace {

Reason how(std::uint16_t flags) {
  const bool reads = (flags & kReads) != 0;
  const bool writes = (flags & kWrites) != 0;
  if (reads == writes) return Reason::kHostTouches;
  return reads ? Reason::kHostReads : Reason::kHostWrites;
}

}  // namespace

void HostAccess::see(const Event& event) {
  if (event.kind != EventKind::kHostAccess || event.space != Space::kDevice) return;
  const Allocation* const touched = scene_.memory.find(event.address);
  if (touched == nullptr) return;
  Event access = event;
  access.device = touched->device;
  scene_.groups.charge(Rule::kHostAccess, Confidence::kProven, how(event.flags), access,
                       {1, 0, 0, 0, 0}, touched->site);
}

}  // namespace xfer
