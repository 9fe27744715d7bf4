#include "analyzer/checks/unfinished_copy.h"

#include <set>

namespace xfer::analyzer {

void report_unfinished(const CheckContext& context, Rule rule, DataUse use, FactId Object::* copy) {
  std::set<FactId> told;
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != use) continue;
    const FactId started = event.object.*copy;
    const Call* call = context.call_of(started);
    if (call == nullptr) continue;
    if (!context.unguarded(event.block, true) || !told.insert(started).second) continue;
    Finding finding =
        context.make(rule, event.spot, {{"operand", context.name(event.spot, event.role)}});
    finding.notes.push_back(
        context.note(call->callee_spot, "the copy is started here, and not waited for"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
