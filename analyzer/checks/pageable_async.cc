// Finds: a copy to a device with non_blocking = true from memory that is for certain not pinned.
// Does not find: memory whose owner is not known (parameters, from_blob, loaders).
// Cost: one look at each transfer.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_pageable_async(const CheckContext& context) {
  check_pageable_copies(context);
  for (const TransferEvent& event : context.events.transfer_events) {
    if (!event.given || !event.certain || !event.call->non_blocking || event.device.is_cpu() ||
        event.source_object.memory != Memory::kPageable)
      continue;
    if (!context.unguarded(event.block, event.device.is_symbol())) continue;
    const std::string operand = context.name(event.call->receiver);
    Finding finding =
        context.make(Rule::kPageableAsync, event.call->callee_spot,
                     {{"operand", operand}, {"device", context.short_text(event.device)}});
    context.add_placement(finding, operand, event.source_object);
    context.add_choice(finding, event.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
