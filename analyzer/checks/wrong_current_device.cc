// Finds: a kernel that is given memory which the function allocated while it had made another
// device current, by numbers. Does not find: devices that are no constants, memory that another
// function allocated, streams and events of another device; programs in which devices may follow
// each other's memory. Cost: one look at each pointer that a kernel is given.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// A function that is called here may make another device current.
bool callee_may_set(const Unit& unit, const FunctionFacts& facts, unsigned depth) {
  const auto sets = [](const Block& block) {
    return std::ranges::any_of(block.facts,
                               [](const Fact& fact) { return fact.is<fact::SetCurrent>(); });
  };
  return std::ranges::any_of(facts.calls, [&](const Call& call) {
    if (call.form == CallForm::kKernel || call.model != nullptr || call.system || call.library)
      return false;
    const FunctionFacts* callee = call.callee ? unit[call.callee].facts.get() : nullptr;
    return callee == nullptr || depth == 0 || std::ranges::any_of(callee->blocks, sets) ||
           callee_may_set(unit, *callee, depth - 1);
  });
}

}  // namespace

void check_wrong_current_device(const CheckContext& context) {
  // Whether devices follow each other's memory the program says.
  if (context.program == nullptr || context.program->has_peers()) return;
  for (const DeviceAccessEvent& event : context.events.device_access_events) {
    const Device at = event.pointer.object.device;
    if (event.call->form != CallForm::kKernel || !at.is_cuda() || !event.current.is_cuda() ||
        at.index < 0 || event.current.index < 0 || at.index == event.current.index)
      continue;
    const Call* made = allocation_of(context, event.pointer.object);
    if (made == nullptr || callee_may_set(context.unit, context.facts, 3)) continue;
    const std::string pointer = context.name(event.pointer.spot, Role::kMemory);
    Finding finding =
        context.make(Rule::kWrongCurrentDevice, spot_in(context, *event.call, event.pointer.spot),
                     {{"kernel", "`" + event.call->name + "`"},
                      {"operand", pointer},
                      {"device", context.short_text(event.current)},
                      {"other", context.short_text(at)}});
    finding.notes.push_back(context.note(made->callee_spot, "it is allocated here"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
