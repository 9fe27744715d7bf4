// Finds: memory of a device, pinned or managed memory, that every iteration of a loop allocates
// with the same size and frees again. Does not find: memory of a pool (cudaMallocAsync), sizes that
// change or are not known, loops that choose a device, read a clock or do nothing else. Cost: one
// look at each call that frees, and the loops around it.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// The call may use memory, or the time that its allocation takes.
bool does_something(const Call& call) {
  if (call.model == nullptr) return !call.at_once && !call.system;
  const CallKind kind = call.model->kind;
  return kind != CallKind::kAllocate && kind != CallKind::kFree && kind != CallKind::kOpen;
}

bool any_call_in(const CheckContext& context, const Loop& loop, bool (*is)(const Call&)) {
  for (const BlockId id : context.facts.blocks.ids())
    if (loop.blocks[id] && any_call(context.facts, context.facts.blocks[id], is)) return true;
  return false;
}

bool chooses_device(const CheckContext& context, const Loop& loop) {
  for (const BlockId id : context.facts.blocks.ids())
    for (const Fact& fact : context.facts.blocks[id].facts)
      if (loop.blocks[id] && fact.is<fact::SetCurrent>()) return true;
  return false;
}

}  // namespace

void check_alloc_in_loop(const CheckContext& context) {
  for (const FreeEvent& event : context.events.free_events) {
    const Allocation made = dear_allocation(context, event.id);
    if (!made || made.pool) continue;
    const std::optional<Point> at = context.point_of(*made.call);
    if (!at) continue;
    const Loop* widest = context.widest_loop(at->block, [&](const Loop& loop) {
      return loop.blocks[event.block] && context.graph.runs_every_iteration(loop, event.block) &&
             context.amounts.same_in(made.bytes, loop.blocks) && !chooses_device(context, loop) &&
             !any_call_in(context, loop, asks_the_time) &&
             // Else the loop is there to measure what allocates and frees.
             any_call_in(context, loop, does_something);
    });
    if (widest == nullptr) continue;
    Finding finding = context.make(Rule::kAllocInLoop, made.call->callee_spot,
                                   {{"call", "`" + made.call->name + "`"}, {"bytes", made.text}});
    finding.notes.push_back(context.note(event.call->callee_spot, "they are freed here"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
