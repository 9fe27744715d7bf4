#include "detect/async_source_reuse.h"

namespace xfer {

void AsyncSourceReuse::see(const Event& event) {
  const PendingCopy* source = nullptr;
  Reason reason = Reason::kHostWritesPending;
  if (event.kind == EventKind::kHostAccess && event.space == Space::kPinned &&
      (event.flags & kWrites) != 0) {
    source = scene_.pending.find(/*upload=*/true, event.address, event.bytes);
  } else if (event.kind == EventKind::kCopy && event.space == Space::kPinned &&
             (event.flags & kStrided) == 0) {
    source = scene_.pending.find_unordered(/*upload=*/true, event.address, event.bytes, event,
                                           scene_.order);
    reason = Reason::kDownloadedOver;
  }
  if (source != nullptr) scene_.charge_too_early(Rule::kAsyncSourceReuse, reason, event, *source);
}

}  // namespace xfer
