// Finds: memory of a device, or pinned memory, that every iteration of a loop allocates and uses,
// and to which nothing points at its end. Does not find: what another function may keep or free,
// managed memory, functions that free by the same pointer on some path (error paths return without
// it) or reset the device, memory that nothing uses (to see how much there is), what is allocated
// once. Cost: one look at each pointer that ends in a loop.

#include <algorithm>
#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// The function frees by this pointer, on some path, or all that the device has.
bool frees(const CheckContext& context, VariableId pointer) {
  return std::ranges::any_of(context.facts.calls, [&](const Call& call) {
    if (call.model == nullptr || call.model->kind != CallKind::kFree) return false;
    if (call.arguments.empty()) return true;
    const PlaceId place = call.arguments.front().place;
    return place && context.facts.places[place].root == pointer;
  });
}

bool is_used(const CheckContext& context, ObjectId memory) {
  return std::ranges::any_of(
             context.events.device_access_events,
             [&](const DeviceAccessEvent& event) { return event.pointer.id == memory; }) ||
         std::ranges::any_of(context.events.memory_copy_events, [&](const MemoryCopyEvent& event) {
           return event.to.id == memory || event.from.id == memory;
         });
}

}  // namespace

void check_leak(const CheckContext& context) {
  std::set<const Call*> told;
  for (const LetGoEvent& event : context.events.let_go_events) {
    const Call* made = dear_allocation(context, event.id).call;
    if (made == nullptr || frees(context, event.pointer) || !is_used(context, event.id)) continue;
    const std::optional<Point> at = context.point_of(*made);
    if (!at) continue;
    const std::vector<const Loop*> loops = context.graph.loops_around(at->block);
    const bool piles_up =
        std::ranges::any_of(loops, [&](const Loop* loop) { return loop->blocks[event.block]; });
    if (!piles_up || !told.insert(made).second) continue;
    context.findings.push_back(
        context.make(Rule::kLeak, made->callee_spot,
                     {{"operand", "`" + context.facts.variables[event.pointer].name + "`"},
                      {"call", "`" + made->name + "`"}}));
  }
}

}  // namespace xfer::analyzer
