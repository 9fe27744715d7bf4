// Finds: a transfer, a move of a module or a factory that names CUDA literally, in a function that
// was given a device or made one before, or in a method of a class with a device.
// Does not find: literals that make or are compared with a device, the CPU, functions without a
// device. Cost: one look at each call.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

const Fact* maker(const Block& block, ValueId value) {
  for (const Fact& fact : block.facts)
    if (fact.value == value && value) return &fact;
  return nullptr;
}

/// The argument is a CUDA device written as a constant, perhaps in options made for the call.
bool literal_cuda(const FunctionFacts& facts, const Block& block, const Operand& operand,
                  unsigned depth) {
  const Fact* made = maker(block, operand.value);
  if (made == nullptr) return false;
  if (const auto* written = made->as<fact::DeviceIs>()) return written->device.is_cuda();
  const Call* call = call_of(facts, *made);
  return call != nullptr && depth <= 2 && call->model != nullptr &&
         call->model->kind == CallKind::kOptions &&
         std::any_of(call->arguments.begin(), call->arguments.end(), [&](const Operand& part) {
           return literal_cuda(facts, block, part, depth + 1);
         });
}

/// The device that a function has from the start: a parameter, or a member of its class.
std::string device_at_hand(const CheckContext& context) {
  const FunctionFacts& facts = context.facts;
  std::string name;
  for (const VariableId id : facts.parameters)
    if (facts.variables[id].type.role == Role::kDevice && !facts.variables[id].name.empty())
      name = facts.variables[id].name;
  // A constructor is where the member is chosen.
  if (!name.empty() || facts.is_constructor) return name;
  for (const FieldId field : context.unit[facts.this_class].fields)
    if (context.unit.fields[field].type.role == Role::kDevice)
      return context.unit.fields[field].name;
  return name;
}

}  // namespace

void check_hard_coded_device(const CheckContext& context) {
  const FunctionFacts& facts = context.facts;
  std::string scope = device_at_hand(context);
  SpotId declared;
  for (const BlockId id : facts.order) {
    const Block& block = facts.blocks[id];
    for (const Fact& fact : block.facts) {
      if (const auto* store = fact.as<fact::Store>();
          scope.empty() && store != nullptr && store->role == Role::kDevice &&
          facts.places[store->place].fields.empty() &&
          !facts.variables[facts.places[store->place].root].name.empty()) {
        scope = facts.variables[facts.places[store->place].root].name;
        declared = fact.spot;
      }
      const Call* made = call_of(facts, fact);
      if (made == nullptr || scope.empty()) continue;
      const Call& call = *made;
      if (call.model == nullptr || call.expects_failure) continue;
      const bool places = call.model->kind == CallKind::kTransfer ||
                          call.model->kind == CallKind::kMove ||
                          call.model->result == Placement::kArguments;
      const bool plain_cuda = call.model->result == Placement::kCuda && call.arguments.empty();
      const bool literal =
          plain_cuda || (places && std::any_of(call.arguments.begin(), call.arguments.end(),
                                               [&](const Operand& operand) {
                                                 return literal_cuda(facts, block, operand, 0);
                                               }));
      if (!literal || !context.unguarded(id, true)) continue;
      Finding finding = context.make(
          Rule::kHardCodedDevice, call.callee_spot,
          {{"call", "`" + context.source.text(context.spot(call.spot)) + "`"}, {"device", scope}});
      if (declared)
        finding.notes.push_back(context.note(declared, "`" + scope + "` is chosen here"));
      context.findings.push_back(std::move(finding));
    }
  }
}

}  // namespace xfer::analyzer
