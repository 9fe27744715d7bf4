#include "detect/hidden_sync.h"

#include <algorithm>

namespace xfer {

void HiddenSync::see(const Event& event) {
  if (event.kind != EventKind::kFree || (event.flags & (kAsync | kSuballocation)) != 0) return;
  const Allocation* const freed = scene_.memory.find(event.address);
  if (freed == nullptr || scene_.order.under_way(freed->device).empty()) return;
  Event call = event;
  call.device = freed->device;
  FindingGroup* const group =
      scene_.groups.charge(Rule::kHiddenSync, Confidence::kProven, Reason::kFreeWaits, call,
                           {1, 0, duration_ns(call), 0, 0}, 0);
  scene_.waits.next_wait(call);
  scene_.waits.waited(call, *group);
}

// By now it is known how long the device took, when the host waited next, and whether the copy was
// of any use at all.
void HiddenSync::ended(const TransferPtr& gone, const Event&) {
  const Transfer& transfer = *gone;
  if (transfer.kind != TransferKind::kUpload || !transfer.behind || transfer.charged != nullptr ||
      transfer.device_ns == 0 || transfer.host_ns() < 2 * transfer.device_ns)
    return;
  const std::uint64_t waited = transfer.host_ns() - transfer.device_ns;
  scene_.groups.charge(Rule::kHiddenSync, Confidence::kLookAlike, Reason::kUploadWaits,
                       transfer.event,
                       {1, transfer.event.bytes, waited, 0, std::min(waited, transfer.gap_ns)}, 0);
}

}  // namespace xfer
