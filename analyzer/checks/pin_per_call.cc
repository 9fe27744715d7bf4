// Finds: `x.pin_memory().to(device, ...)`: memory that is pinned for one copy and then let go.
// Does not find: pinned tensors with a name, which may be used again.
// Cost: one look at each transfer.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_pin_per_call(const CheckContext& context) {
  for (const TransferEvent& event : context.events.transfer_events) {
    if (!event.given || event.device.is_cpu()) continue;
    const OriginTable::Entry& origin = context.origins[event.source];
    const Fact* made = origin.origin == Origin::kFact ? context.fact(origin.fact()) : nullptr;
    if (made == nullptr || !made->is<fact::Invoke>() || !made->value ||
        made->value != event.call->receiver.value)
      continue;
    const Call& pin = *call_of(context.facts, *made);
    if (pin.model == nullptr || !pin.model->pins || !pin.has_receiver) continue;
    if (!context.unguarded(event.block, event.device.is_symbol())) continue;
    Finding finding = context.make(
        Rule::kPinPerCall, pin.callee_spot,
        {{"operand", context.name(pin.receiver)}, {"device", context.short_text(event.device)}});
    auto edit = context.source.replace(context.spot(pin.spot),
                                       context.source.raw(context.spot(pin.receiver.spot)));
    if (edit && !context.source.raw(context.spot(pin.receiver.spot)).empty())
      finding.fix = Fix{"copy without pinning", {std::move(*edit)}};
    context.add_choice(finding, event.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
