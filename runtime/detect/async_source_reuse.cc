#include "detect/async_source_reuse.h"

namespace xfer {

void AsyncSourceReuse::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kHostAccess:
      if ((event.flags & kWrites) != 0)
        charge(Reason::kHostWritesPending, event, under_host(event));
      break;
    case EventKind::kCopy:
    case EventKind::kSet:
      charge(Reason::kSourceOverwritten, event, under(bytes_at_address(event), event));
      break;
    case EventKind::kLaunch: launched(event, kWrites, Reason::kLaunchedOver); break;
    default: break;
  }
}

void AsyncSourceReuse::source_changed(const Event& change) {
  if (was_charged(change.correlation)) return;
  const Confidence confidence =
      (change.flags & kMayTouchAll) != 0 ? Confidence::kLookAlike : Confidence::kProven;
  scene_.groups.charge(Rule::kAsyncSourceReuse, confidence, Reason::kSourceChanged, change,
                       {1, change.bytes, 0, 0, 0}, 0);
}

}  // namespace xfer
