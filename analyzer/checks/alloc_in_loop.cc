// Finds: memory of a device, pinned or managed memory, that every iteration of a loop allocates
// with the same size and frees again. Does not find: memory of a pool (cudaMallocAsync), sizes that
// change or are not known, loops that choose a device, reset it, read a clock, or are there to
// measure an allocation. Cost: one look at each call that frees, and the loops around it.

#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/timed.h"

namespace xfer::analyzer {
namespace {

bool manages_memory(const CheckContext& context, const Fact* fact) {
  const Call* call = fact == nullptr ? nullptr : call_of(context.facts, *fact);
  const CallKind kind =
      call == nullptr || call->model == nullptr ? CallKind::kOpen : call->model->kind;
  return kind == CallKind::kAllocate || kind == CallKind::kFree;
}

/// Something in the loop reads the memory, or writes to it.
bool used_in(const CheckContext& context, ObjectId memory, const Loop& loop) {
  const auto uses = [&](const Fact* fact) { return !manages_memory(context, fact); };
  const auto reads = context.events.reads.find(memory);
  const auto writes = context.events.written_by.find(memory);
  return (reads != context.events.reads.end() &&
          std::ranges::any_of(reads->second,
                              [&](const auto& read) {
                                return loop.blocks[read.second] && uses(context.fact(read.first));
                              })) ||
         (writes != context.events.written_by.end() && std::ranges::any_of(writes->second, uses));
}

bool any_call_in(const CheckContext& context, const Loop& loop, bool (*is)(const Call&)) {
  for (const BlockId id : context.facts.blocks.ids())
    if (loop.blocks[id] && any_call(context.facts, context.facts.blocks[id], is)) return true;
  return false;
}

/// The call may use memory, or the time that its allocation takes.
bool does_something(const Call& call) {
  if (call.model == nullptr) return !call.at_once && !call.system;
  const CallKind kind = call.model->kind;
  return kind != CallKind::kAllocate && kind != CallKind::kFree && kind != CallKind::kOpen;
}

/// The loop does not need the memory: it is there to see what allocates and frees it, or for how
/// long.
bool is_there_to_measure(const CheckContext& context, ObjectId memory, const Loop& loop) {
  return !used_in(context, memory, loop) &&
         (timed_around(context, loop) || !any_call_in(context, loop, does_something));
}

/// `cudaDeviceReset()`: no memory is kept.
bool frees_all(const Call& call) {
  return call.model != nullptr && call.model->kind == CallKind::kFree && call.arguments.empty();
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
             !any_call_in(context, loop, asks_the_time) && !any_call_in(context, loop, frees_all) &&
             !is_there_to_measure(context, event.id, loop);
    });
    if (widest == nullptr) continue;
    Finding finding = context.make(Rule::kAllocInLoop, made.call->callee_spot,
                                   {{"call", "`" + made.call->name + "`"}, {"bytes", made.text}});
    finding.notes.push_back(context.note(event.call->callee_spot, "they are freed here"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
