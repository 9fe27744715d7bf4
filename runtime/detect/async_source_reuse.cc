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
  if (source == nullptr) return;
  Event call = event;
  call.device = source->copy.device;
  call.source_device = -1;
  call.bytes = source->copy.bytes;
  scene_.groups.charge(Rule::kAsyncSourceReuse, Confidence::kProven, reason, call,
                       {1, source->copy.bytes, 0, 0, 0}, source->copy.site);
  scene_.pending.forget(*source);
}

}  // namespace xfer
