// Finds: the host writes to a pinned tensor while an asynchronous copy from it may still be under way.
// Does not find: pageable memory (the copy has read it when the call returns), writes after a synchronisation
// or after a call that is not known, content from a tensor that may be on a device (copied in its order),
// pinned memory that is only let go (the allocator waits).
// Cost: one look at each such write.

#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_async_source_reuse(const CheckContext& context) {
  std::set<std::pair<FactId, FactId>> told;
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != DataUse::kEarlyWrite || event.call->expects_throw) continue;
    const Fact* copy = context.flow.fact(event.object.leaving);
    if (copy == nullptr || copy->kind != FactKind::kCall) continue;
    if (!context.unguarded(event.block, true) || !told.insert({event.object.leaving, event.fact}).second)
      continue;
    Finding finding = context.make(Rule::kAsyncSourceReuse, event.spot,
                                   {{"operand", context.name(event.spot, event.role)}});
    finding.notes.push_back(context.note(context.facts.calls[copy->call].callee_spot,
                                         "the copy is started here, and not waited for"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
