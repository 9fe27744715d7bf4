// Finds: a kernel, a copy, cudaMemset or host code that is given memory which this function gave
// back with cudaFree or similar on every path to there; memory that is given back twice.
// Does not find: pointers in fields and globals behind code that may have pointed them elsewhere;
// memory that some path frees only. Cost: one look at each use.

#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_use_after_free(const CheckContext& context) {
  std::set<FactId> told;
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != DataUse::kFreed) continue;
    const Call* freed = context.call_of(event.object.freed);
    if (freed == nullptr) continue;
    if (event.call != nullptr &&
        same_place(context.at(freed->callee_spot), context.at(event.call->callee_spot)))
      continue;
    if (!told.insert(event.object.freed).second) continue;
    const bool again = event.call != nullptr && event.call->model != nullptr &&
                       event.call->model->kind == CallKind::kFree;
    Finding finding = context.make(Rule::kUseAfterFree, event.spot,
                                   {{"operand", context.name(event.spot, Role::kMemory)},
                                    {"used", again ? "freed again" : "used"}});
    finding.notes.push_back(context.note(freed->callee_spot, "it is freed here"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
