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

/// Besides what allocates and frees: else the loop is there to measure that.
bool does_something(const CheckContext& context, const Loop& loop) {
  for (const BlockId id : context.facts.blocks.ids())
    if (loop.blocks[id] && any_call(context.facts, context.facts.blocks[id], does_something))
      return true;
  return false;
}

bool chooses_or_times(const CheckContext& context, const Loop& loop) {
  for (const BlockId id : context.facts.blocks.ids()) {
    const Block& block = context.facts.blocks[id];
    if (!loop.blocks[id]) continue;
    if (any_call(context.facts, block, asks_the_time)) return true;
    for (const Fact& fact : block.facts)
      if (fact.is<fact::SetCurrent>()) return true;
  }
  return false;
}

}  // namespace

void check_alloc_in_loop(const CheckContext& context) {
  for (const FreeEvent& event : context.events.free_events) {
    const Allocation made = dear_allocation(context, event.id);
    if (!made || made.pool) continue;
    const Loop* widest =
        context.widest_loop(context.origins[event.id].block, [&](const Loop& loop) {
          return loop.blocks[event.block] &&
                 context.graph.runs_every_iteration(loop, event.block) &&
                 context.amounts.same_in(made.bytes, loop.blocks) &&
                 !chooses_or_times(context, loop) && does_something(context, loop);
        });
    if (widest == nullptr) continue;
    Finding finding = context.make(Rule::kAllocInLoop, made.call->callee_spot,
                                   {{"call", "`" + made.call->name + "`"}, {"bytes", made.text}});
    finding.notes.push_back(context.note(event.call->callee_spot, "they are freed here"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
