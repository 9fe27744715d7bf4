// Finds: a value copied to another device and back, where nothing wrote to it and nothing read the
// copy in between. Back at once also where nobody knows which device that is: it is twice a copy,
// or none that anybody needs. Does not find: copies that were used there, conversions of the
// element type, a GPU value parked on the CPU while its GPU memory was free for others. Cost: one
// look at each transfer.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

namespace {

/// Nothing runs between the two transfers but the making of their arguments.
bool at_once(const FunctionFacts& facts, const Fact& away, const Call& back) {
  for (const Block& block : facts.blocks) {
    bool between = false;
    for (const Fact& fact : block.facts) {
      const Call* made = call_of(facts, fact);
      if (made == nullptr) continue;
      const Call& call = *made;
      if (&call == &back) {
        if (between) return true;
        break;
      }
      if (&fact == &away) {
        between = true;
        continue;
      }
      const bool argument =
          call.model != nullptr &&
          (call.model->kind == CallKind::kOptions || call.model->kind == CallKind::kDevice ||
           call.model->kind == CallKind::kDeviceQuery || call.model->kind == CallKind::kPass);
      if (!argument) between = false;
    }
  }
  return false;
}

/// The data comes back as another element type.
bool converts(const TransferEvent& event) {
  const Element before = event.source_object.element;
  return event.call->converts && (before == Element::kUnknown || event.result_element != before);
}

}  // namespace

void check_round_trip(const CheckContext& context) {
  check_copies_and_back(context);
  for (const TransferEvent& event : context.events.transfer_events) {
    const Object& middle = event.source_object;
    if (!event.given || converts(event) || !middle.source || !event.origin_known ||
        context.tries_device(event))
      continue;
    const bool unchanged =
        middle.version == middle.copy_version && event.origin.version == middle.source_version;
    if (!unchanged || relate(middle.source_device, event.device) != Relation::kSame) continue;
    const auto reads = context.events.reads.find(event.source);
    if (reads == context.events.reads.end()) continue;
    const bool only_here = std::all_of(reads->second.begin(), reads->second.end(),
                                       [&](const auto& read) { return read.first == event.fact; });
    if (!only_here || context.events.escapes.count(event.source) != 0) continue;
    const Fact* away = context.fact(middle.transfer);
    if (away == nullptr || !away->is<fact::Invoke>()) continue;
    const Call& away_call = *call_of(context.facts, *away);
    const bool direct = at_once(context.facts, *away, *event.call);
    // Data that others may change stays the same only while nothing else runs.
    if (!direct && (!event.certain || event.origin.escaped)) continue;
    // Parking on the CPU frees GPU memory, unless the original is kept or comes back at once.
    if (!middle.source_device.is_cpu() && !event.origin_held && !direct) continue;
    const bool symbolic = middle.device.is_symbol() || event.device.is_symbol();
    if (!context.unguarded(event.block, symbolic)) continue;
    const bool chained = away->value && away->value == event.call->receiver.value;
    const std::string operand = context.name(chained ? away_call.receiver : event.call->receiver);
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
