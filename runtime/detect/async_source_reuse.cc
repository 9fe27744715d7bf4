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
      charge(Reason::kSourceOverwritten, event, under(event.address, event));
      break;
    case EventKind::kLaunch:
      if ((event.flags & kArgumentsOnly) != 0) launched(event, kWrites, Reason::kLaunchedOver);
      break;
    default: break;
  }
}

}  // namespace xfer
