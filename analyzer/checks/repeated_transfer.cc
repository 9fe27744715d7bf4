// Finds: a value copied to a device that for certain still has the same copy: held by a variable,
// or passed on as a temporary before. Of a value that came from outside, the second call is a copy
// too many, or does nothing.
// Does not find: anything written to in between, copies that were let go (memory may be short),
// forced copies, values that others may change.
// Cost: one look at each transfer.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_repeated_transfer(const CheckContext& context) {
  check_repeated_copies(context);
  for (const TransferEvent& event : context.events.transfer_events) {
    if ((!event.certain && !event.perhaps) || !event.earlier) continue;
    if (!event.earlier_held && (event.earlier->stored || event.perhaps)) continue;
    const bool symbolic = event.device.is_symbol() || event.source_object.device.is_symbol();
    if (!context.unguarded(event.block, symbolic)) continue;
    const auto& variables = context.facts.variables;
    if (variables.has(event.earlier_variable) &&
        variables[event.earlier_variable].unused_on_purpose)
      continue;  // it was there to warm up
    const Call* first = context.call_of(event.earlier->transfer);
    if (first == nullptr) continue;
    const Call& first_call = *first;
    // A copy that was dropped at once is a discarded transfer, and nothing to use again.
    if (first_call.discarded || first_call.conversion != event.call->conversion) continue;
    const std::string operand = context.name(event.call->receiver);
    Finding finding =
        context.make(Rule::kRepeatedTransfer, event.call->callee_spot,
                     {{"operand", operand},
                      {"device", context.short_text(event.device)},
                      {"line", std::to_string(context.at(first_call.callee_spot).line)}});
    finding.notes.push_back(context.note(first_call.callee_spot, "the first copy is made here"));
    context.add_choice(finding, event.device);
    if (event.earlier_held && variables.has(event.earlier_variable)) {
      const std::string& holder = context.facts.variables[event.earlier_variable].name;
      auto edit = context.source.replace(context.spot(event.call->spot), holder);
      if (edit && !holder.empty())
        finding.fix = Fix{"use `" + holder + "`, which is that copy", {std::move(*edit)}};
    }
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
