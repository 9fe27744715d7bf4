// Finds: a kernel that is given memory which the function allocated while it had made another
// device current, by numbers. Does not find: devices that are no constants, memory that another
// function allocated, streams and events of another device; programs in which devices may follow
// each other's memory. Cost: one look at each pointer that a kernel is given.

#include <algorithm>

#include "analyzer/checks/operand_pair.h"
#include "analyzer/facts/call_order.h"

namespace xfer::analyzer {
namespace {

/// Its callee may make another device current.
bool may_set(const Unit& unit, const Call& call, unsigned depth) {
  if (call.form == CallForm::kKernel || call.model != nullptr || call.system || call.library ||
      call.at_once)
    return false;
  const FunctionFacts* callee = call.callee ? unit[call.callee].facts.get() : nullptr;
  if (callee == nullptr || depth == 0) return true;
  const auto sets = [](const Block& block) {
    return std::ranges::any_of(block.facts,
                               [](const Fact& fact) { return fact.is<fact::SetCurrent>(); });
  };
  return std::ranges::any_of(callee->blocks, sets) ||
         std::ranges::any_of(callee->calls,
                             [&](const Call& inner) { return may_set(unit, inner, depth - 1); });
}

/// A call between the two may make another device current.
bool may_be_set_between(const CheckContext& context, const Call& first, const Call& last) {
  const auto& calls = context.facts.calls;
  const CallOrder order(context.facts);
  return std::ranges::any_of(calls, [&](const Call& call) {
    return order.reaches(calls.id_of(first), calls.id_of(call)) &&
           order.reaches(calls.id_of(call), calls.id_of(last)) && may_set(context.unit, call, 3);
  });
}

}  // namespace

void check_wrong_current_device(const CheckContext& context) {
  // Whether devices follow each other's memory the program says.
  if (context.program == nullptr || context.program->any_unit(&Unit::peers)) return;
  for (const DeviceAccessEvent& event : context.events.device_access_events) {
    const Device at = event.pointer.object.device;
    if (event.call->form != CallForm::kKernel || !at.is_cuda() || !event.current.is_cuda() ||
        at.index < 0 || event.current.index < 0 || at.index == event.current.index)
      continue;
    const Call* made = allocation_of(context, event.pointer.object);
    if (made == nullptr || may_be_set_between(context, *made, *event.call)) continue;
    const std::string pointer = operand_name(context, event.pointer);
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
