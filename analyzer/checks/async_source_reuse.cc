// Finds: the host writes to a pinned tensor while an asynchronous copy from it may still be
// running, or to pinned or managed memory that a kernel was given. Does not find: pageable memory
// (the copy has read it when the call returns), writes after a synchronisation or after a call that
// is not known, content from a tensor that may be on a device (copied in its order), pinned memory
// that is only let go (the allocator waits). Cost: one look at each such write.

#include "analyzer/checks/unfinished_copy.h"

namespace xfer::analyzer {

void check_async_source_reuse(const CheckContext& context) {
  report_unfinished(context, {Rule::kAsyncSourceReuse, DataUse::kEarlyWrite, &Need::host_writes,
                              &Object::leaving, "an asynchronous copy from it may still be running",
                              ", which gets it as an argument, may still be running"});
}

}  // namespace xfer::analyzer
