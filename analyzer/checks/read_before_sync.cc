// Finds: the host reads the result of a copy from a device with non_blocking = true before anything
// has waited for that copy: an operation on the CPU, item(), a pointer that is followed, there or
// in a callee. Likewise pinned memory (here, or as the whole program says) that an asynchronous
// copy goes to, and pinned or managed memory that a kernel writes to. Does not find: reads after a
// synchronisation, a blocking copy or item() of a CUDA tensor, a read through a volatile pointer,
// or a call that is not known (they may wait); copies to a device, whose later work is in order;
// kernels that are given a part of the memory. Cost: one look at each such read.

#include "analyzer/checks/unfinished_copy.h"

namespace xfer::analyzer {

void check_read_before_sync(const CheckContext& context) {
  report_unfinished(context, {Rule::kReadBeforeSync, DataUse::kEarlyRead, &Need::host_reads,
                              &Object::arriving, "the copy into it", ", which writes to it"});
}

}  // namespace xfer::analyzer
