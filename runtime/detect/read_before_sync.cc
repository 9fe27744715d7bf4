#include "detect/read_before_sync.h"

namespace xfer {

void ReadBeforeSync::see(const Event& event) {
  switch (event.kind) {
    case EventKind::kHostAccess: charge(Reason::kHostReadsPending, event, under_host(event)); break;
    case EventKind::kCopy:
      charge(Reason::kCopiedPending, event, under(bytes_at_source(event), event));
      [[fallthrough]];
    case EventKind::kSet:
      charge(Reason::kOverwrittenPending, event, under(bytes_at_address(event), event));
      break;
    case EventKind::kLaunch:
      launched(event, kReads, Reason::kLaunchedPending);
      overwritten(event, Reason::kLaunchedOverPending);
      break;
    default: break;
  }
}

}  // namespace xfer
