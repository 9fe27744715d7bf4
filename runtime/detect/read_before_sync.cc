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
  if (early != nullptr) scene_.charge_too_early(Rule::kReadBeforeSync, reason, event, *early);
}

}  // namespace xfer
