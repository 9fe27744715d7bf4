#include "analyzer/checks/sibling_fields.h"

#include "analyzer/checks/wanted_on_host.h"

namespace xfer::analyzer {

bool is_own_tensor(const Field& field) {
  return field.type.role == Role::kTensor && !field.global && !field.library;
}

bool given_alike(const Unit& unit, FieldId one, FieldId other, const std::set<FunctionId>& movers) {
  const FieldChanges& a = unit.fields[one].changes;
  const FieldChanges& b = unit.fields[other].changes;
  const auto givers = [&](const FieldChanges& changes) {
    std::set<FunctionId> methods(changes.methods.begin(), changes.methods.end());
    for (const FunctionId mover : movers) methods.erase(mover);
    return methods;
  };
  return a.constructed == b.constructed && givers(a) == givers(b);
}

bool may_be_left(const CheckContext& context, FieldId left, FieldId moved,
                 const std::set<FunctionId>& movers) {
  const Inference& program = *context.program;
  const DeviceSet places =
      program.known(context.unit_number, {{Holder::field(left), false}}).devices;
  if (places.may_be_cuda()) return false;
  const std::map<FunctionId, DeviceSet> others = program.given_to(context.unit_number, moved);
  bool placed_here = false;
  for (const auto& [function, there] : program.given_to(context.unit_number, left)) {
    if (movers.contains(function) || !there.has(DeviceSet::kPlaced)) continue;
    placed_here = true;
    const auto other = others.find(function);
    if (other == others.end() || !other->second.has(DeviceSet::kPlaced)) return false;
  }
  if (!placed_here && places.has(DeviceSet::kPlaced)) return false;
  return !wanted_on_host(context.unit, left);
}

}  // namespace xfer::analyzer
