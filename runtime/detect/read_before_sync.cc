#include "detect/read_before_sync.h"

namespace xfer {

void ReadBeforeSync::see(const Event& event) {
  const PendingCopy* early = nullptr;
  Reason reason = Reason::kHostReadsPending;
  if (event.kind == EventKind::kHostAccess && event.space == Space::kPinned) {
    early = scene_.pending.find(/*upload=*/false, event.address, event.bytes);
  } else if (event.kind == EventKind::kCopy && event.source_space == Space::kPinned &&
             (event.flags & kStrided) == 0) {
    early = scene_.pending.find_unordered(/*upload=*/false, event.source, event.bytes, event,
                                          scene_.order);
    reason = Reason::kUploadedPending;
  }
  if (early == nullptr) return;
  Event call = event;
  call.device = early->copy.source_device;
  call.source_device = -1;
  call.bytes = early->copy.bytes;
  scene_.groups.charge(Rule::kReadBeforeSync, Confidence::kProven, reason, call,
                       {1, early->copy.bytes, 0, 0, 0}, early->copy.site);
  scene_.pending.forget(*early);
}

}  // namespace xfer
