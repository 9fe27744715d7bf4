// Finds: the host reads the result of a copy from a device with non_blocking = true before anything has waited
// for that copy: an operation on the CPU, item(), a pointer that is followed.
// Does not find: reads after a synchronisation, a blocking copy or item() of a CUDA tensor, or a call that is
// not known (it may wait); copies to a device, whose later work is in order.
// Cost: one look at each such read.

#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_read_before_sync(const CheckContext& context) {
  std::set<FactId> told;
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != DataUse::kEarlyRead || (event.call != nullptr && event.call->expects_throw)) continue;
    const Fact* copy = context.flow.fact(event.object.arriving);
    if (copy == nullptr || copy->kind != FactKind::kCall) continue;
    if (!context.unguarded(event.block, true) || !told.insert(event.object.arriving).second) continue;
    Finding finding = context.make(Rule::kReadBeforeSync, event.spot,
                                   {{"operand", context.name(event.spot, event.role)}});
    finding.notes.push_back(context.note(context.facts.calls[copy->call].callee_spot,
                                         "the copy is started here, and not waited for"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
