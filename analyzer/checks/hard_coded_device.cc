// Finds: a transfer, a move of a module or a factory that names CUDA literally, in a function that
// was given a device or made one before, or in a method of a class with a device.
// Does not find: literals that make or are compared with a device, the CPU, functions without a
// device. Cost: one look at each call.

#include <clang/AST/DeclCXX.h>

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

const Fact* maker(const Block& block, ValueId value) {
  for (const Fact& fact : block.facts)
    if (fact.value == value && value != 0) return &fact;
  return nullptr;
}

/// The argument is a CUDA device written as a constant, perhaps in options made for the call.
bool literal_cuda(const FunctionFacts& facts, const Block& block, const Operand& operand,
                  unsigned depth) {
  const Fact* made = maker(block, operand.value);
  if (made == nullptr) return false;
  if (made->kind == FactKind::kDevice) return made->device.is_cuda();
  if (made->kind != FactKind::kCall || depth > 2) return false;
  const Call& call = facts.calls[made->call];
  return call.model != nullptr && call.model->kind == CallKind::kOptions &&
         std::any_of(call.arguments.begin(), call.arguments.end(), [&](const Operand& part) {
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
  const clang::CXXRecordDecl* record =
      facts.this_class == nullptr ? nullptr : facts.this_class->getDefinition();
  // A constructor is where the member is chosen.
  if (!name.empty() || record == nullptr || facts.is_constructor) return name;
  for (const clang::FieldDecl* field : record->fields())
    if (context.types.of(field->getType()).role == Role::kDevice) return field->getNameAsString();
  return name;
}

}  // namespace

void check_hard_coded_device(const CheckContext& context) {
  const FunctionFacts& facts = context.facts;
  std::string scope = device_at_hand(context);
  SpotId declared = 0;
  for (const BlockId id : facts.order) {
    const Block& block = facts.blocks[id];
    for (const Fact& fact : block.facts) {
      if (scope.empty() && fact.kind == FactKind::kStore && fact.role == Role::kDevice &&
          facts.places[fact.place].fields.empty() &&
          !facts.variables[facts.places[fact.place].root].name.empty()) {
        scope = facts.variables[facts.places[fact.place].root].name;
        declared = fact.spot;
      }
      if (fact.kind != FactKind::kCall || scope.empty()) continue;
      const Call& call = facts.calls[fact.call];
      if (call.model == nullptr || call.expects_throw) continue;
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
      if (declared != 0)
        finding.notes.push_back(context.note(declared, "`" + scope + "` is chosen here"));
      context.findings.push_back(std::move(finding));
    }
  }
}

}  // namespace xfer::analyzer
