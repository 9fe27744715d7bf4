// Finds: a transfer that every iteration of a loop makes, of a value that no iteration changes,
// whose copy the loop only reads. To the host also of a value from outside, which may be there
// already: then every iteration copies, or none needs the call. Does not find: copies that the loop
// writes to or hands on, values made or changed in the loop, transfers under a condition, loops
// that end after one pass, copies that nothing reads (timing). Cost: the loops around each
// transfer.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// Other code of the loop may change a source that comes from outside, and so may other threads,
/// where the loop waits for that.
bool may_change(const CheckContext& context, const TransferEvent& event, const Loop& loop) {
  const auto& writes = context.events.outside_writes;
  return event.changeable &&
         (event.block == loop.head ||
          std::any_of(writes.begin(), writes.end(), [&](BlockId at) { return loop.blocks[at]; }));
}

bool invariant(const CheckContext& context, const TransferEvent& event, const Loop& loop) {
  const auto symbol_outside = [&](Device device) {
    if (!device.is_symbol()) return true;
    const BlockId block = context.symbols[device.symbol].block;
    return block == kNoBlock || !loop.blocks[block];
  };
  return !may_change(context, event, loop) && context.made_before(event.source, loop) &&
         context.made_before(event.source_object.version, loop) && symbol_outside(event.device) &&
         symbol_outside(event.source_object.device) &&
         !happens_in(context.events.writes, event.source, loop) &&
         !happens_in(context.events.escapes, event.source, loop) &&
         !happens_in(context.events.writes, event.result, loop) &&
         !happens_in(context.events.escapes, event.result, loop);
}

}  // namespace

void check_transfer_in_loop(const CheckContext& context) {
  check_copies_in_loops(context);
  for (const TransferEvent& event : context.events.transfer_events) {
    if (!context.copies(event) && !(event.perhaps && event.device.is_cpu())) continue;
    if (event.call->forces_copy) continue;
    const auto reads = context.events.reads.find(event.result);
    if (reads == context.events.reads.end()) continue;
    const bool symbolic = event.device.is_symbol() || event.source_object.device.is_symbol();
    const Loop* widest = context.widest_loop(
        event.block, [&](const Loop& loop) { return invariant(context, event, loop); });
    if (widest == nullptr || !context.unguarded(event.block, symbolic)) continue;
    const std::string operand = context.name(event.call->receiver);
    Finding finding =
        context.make(Rule::kTransferInLoop, event.call->callee_spot,
                     {{"operand", operand}, {"device", context.short_text(event.device)}});
    context.add_placement(finding, operand, event.source_object);
    const SpotId loop_spot = context.facts.blocks[widest->head].loop;
    if (loop_spot) {
      finding.notes.push_back(context.note(loop_spot, "the loop begins here"));
      const Spot start = context.spot(loop_spot);
      const Spot call = context.spot(event.call->spot);
      const std::string text = context.source.raw(call);
      const std::string& base = event.call->receiver_name;
      const bool outside =
          !event.call->newest_name.file || context.source.before(event.call->newest_name, start);
      if (!base.empty() && !text.empty() && outside) {
        const std::string moved = base + "_moved";
        auto hoisted =
            context.source.insert_before(start, "const auto " + moved + " = " + text + ";\n" +
                                                    context.source.indentation(start));
        auto used = context.source.replace(call, moved);
        if (hoisted && used)
          finding.fix = Fix{"copy once, before the loop", {std::move(*hoisted), std::move(*used)}};
      }
    }
    context.add_choice(finding, event.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
