// Finds: from_blob with options that say pinned_memory(true), over memory that is for certain
// pageable: a vector, an array, new, malloc. from_blob does not read that option. Does not find:
// pointers whose owner is not known: they may come from cudaHostAlloc. Cost: one look at each
// from_blob.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_fake_pinning(const CheckContext& context) {
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != DataUse::kPinned || event.call->pageable.empty()) continue;
    Finding finding =
        context.make(Rule::kFakePinning, event.call->callee_spot,
                     {{"call", "`" + event.call->name + "`"}, {"owner", event.call->pageable}});
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
