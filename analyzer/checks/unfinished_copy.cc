#include "analyzer/checks/unfinished_copy.h"

#include <set>

namespace xfer::analyzer {

void report_unfinished(const CheckContext& context, Rule rule, DataUse use, FactId Object::* copy) {
  std::set<FactId> told;
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != use || (event.call != nullptr && event.call->expects_throw)) continue;
    const FactId started = event.object.*copy;
    const Fact* fact = context.flow.fact(started);
    if (fact == nullptr || fact->kind != FactKind::kCall) continue;
    if (!context.unguarded(event.block, true) || !told.insert(started).second) continue;
    Finding finding =
        context.make(rule, event.spot, {{"operand", context.name(event.spot, event.role)}});
    finding.notes.push_back(context.note(context.facts.calls[fact->call].callee_spot,
                                         "the copy is started here, and not waited for"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
