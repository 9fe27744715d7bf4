// Finds: the host reads the result of a copy from a device with non_blocking = true before anything
// has waited for that copy: an operation on the CPU, item(), a pointer that is followed.
// Does not find: reads after a synchronisation, a blocking copy or item() of a CUDA tensor, or a
// call that is not known (it may wait); copies to a device, whose later work is in order.
// Cost: one look at each such read.

#include "analyzer/checks/unfinished_copy.h"

namespace xfer::analyzer {

void check_read_before_sync(const CheckContext& context) {
  report_unfinished(context, Rule::kReadBeforeSync, DataUse::kEarlyRead, &Object::arriving);
}

}  // namespace xfer::analyzer
