// Finds: `p = x.to(kCPU).data_ptr<float>()`, also through views, returned, or of the sizes: the
// copy that the transfer returned is destroyed at the end of the statement, and the pointer stays.
// Does not find: a transfer to where the tensor is for certain (it returns the tensor itself),
// pointers that a call in the same statement uses, conversions of the element type alone. Cost: one
// look at each pointer that is kept.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_dangling_transfer(const CheckContext& context) {
  const auto& transfers = context.events.given_transfers;
  for (const KeptPointerEvent& event : context.events.kept_pointer_events) {
    const auto made = transfers.find(event.object);
    if (!event.object || made == transfers.end()) continue;
    Finding finding =
        context.make(Rule::kDanglingTransfer, event.spot,
                     {{"pointer", "`" + context.source.text(context.spot(event.spot)) + "`"}});
    finding.notes.push_back(context.note(
        event.copy,
        made->second
            ? "this copy is a temporary: keep it in a variable that lives as long as the pointer"
            : "if this copies, the copy is a temporary: keep it in a variable that lives as long "
              "as the pointer"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
