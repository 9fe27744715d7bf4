// Finds: a value copied to another device and back, where nothing wrote to it and nothing read the copy
// in between.
// Does not find: copies that were used there, conversions of the element type, a GPU value parked on
// the CPU while its GPU memory was free for others.
// Cost: one look at each transfer.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_round_trip(const CheckContext& context) {
  for (const TransferEvent& event : context.events.transfer_events) {
    const Object& middle = event.source_object;
    if (!event.certain || event.call->expects_throw || event.call->converts ||
        middle.source == 0 || !event.origin_known)
      continue;
    const bool unchanged =
        middle.version == middle.copy_version && event.origin.version == middle.source_version;
    if (!unchanged || relate(middle.source_device, event.device) != Relation::kSame) continue;
    const auto reads = context.events.reads.find(event.source);
    if (reads == context.events.reads.end()) continue;
    const bool only_here =
        std::all_of(reads->second.begin(), reads->second.end(),
                    [&](const auto& read) { return read.first == event.fact; });
    if (!only_here || context.events.escapes.count(event.source) != 0) continue;
    const Fact* away = context.flow.fact(middle.transfer);
    if (away == nullptr || away->kind != FactKind::kCall) continue;
    const Call& away_call = context.facts.calls[away->call];
    // Parking on the CPU frees GPU memory, unless the original is kept or comes back at once.
    const bool direct = away->value != 0 && away->value == event.call->receiver.value;
    if (!middle.source_device.is_cpu() && !event.origin_held && !direct) continue;
    const bool symbolic = middle.device.is_symbol() || event.device.is_symbol();
    if (!context.unguarded(event.block, symbolic)) continue;
    const std::string operand = context.name(direct ? away_call.receiver : event.call->receiver);
    Finding finding = context.make(Rule::kRoundTrip, event.call->callee_spot,
                                   {{"operand", operand},
                                    {"via", context.short_text(middle.device)},
                                    {"device", context.short_text(event.device)}});
    finding.notes.push_back(context.note(
        away_call.callee_spot, "it is copied to " + context.short_text(middle.device) + " here"));
    context.add_choice(finding, middle.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
