// Finds: item() or a copy to the CPU of a CUDA tensor in every iteration of a loop: the host waits
// each time for all that it has given the device to do. Does not find: waits under a condition
// (every hundredth step), asynchronous copies, waits that the end of the loop depends on, tensors
// that may well be on the CPU. Cost: the loops around each such call.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_sync_in_loop(const CheckContext& context) {
  for (const DataEvent& event : context.events.data_events) {
    if (event.use != DataUse::kWait) continue;
    const Device device = event.object.device;
    if (!context.unguarded(event.block, device.is_symbol())) continue;
    const auto loops = context.graph.loops_around(event.block);
    if (loops.empty() || !context.graph.runs_every_iteration(*loops.front(), event.block)) continue;
    Finding finding =
        context.make(Rule::kSyncInLoop, event.call->callee_spot,
                     {{"call", "`" + context.source.text(context.spot(event.call->spot)) + "`"},
                      {"device", context.short_text(device)}});
    const SpotId loop = context.facts.blocks[loops.front()->head].loop;
    if (loop) finding.notes.push_back(context.note(loop, "the loop begins here"));
    context.add_choice(finding, device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
