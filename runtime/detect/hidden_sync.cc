#include "detect/hidden_sync.h"

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

}  // namespace xfer
