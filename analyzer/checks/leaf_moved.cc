// Finds: a tensor that was made to collect its gradient and then moved, where the gradient is asked
// of the copy: `y.grad()`, an optimizer made for `y`. Does not find: copies with retain_grad(),
// detached ones, code under a guard that switches gradients off, moves that only compute (the
// gradient reaches the original). Cost: one look at each such use.

#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_leaf_moved(const CheckContext& context) {
  std::set<SpotId> told;
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != DataUse::kLeaf || !event.object.placed_at) continue;
    if (!context.unguarded(event.block, event.object.device.is_symbol())) continue;
    if (!told.insert(event.object.placed_at).second) continue;
    Finding finding = context.make(Rule::kLeafMoved, event.object.placed_at,
                                   {{"operand", context.name(event.spot, event.role)}});
    finding.notes.push_back(
        context.note(event.call->callee_spot ? event.call->callee_spot : event.call->spot,
                     "its gradient is asked for here"));
    context.add_choice(finding, event.object.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
