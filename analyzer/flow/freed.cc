#include "analyzer/flow/freed.h"

namespace xfer::analyzer {

bool is_own(const Step& step, PlaceId place) {
  return place && step.facts.places[place].fields.empty() &&
         is_own(step, step.facts.places[place].root);
}

bool is_own(const Step& step, VariableId id) {
  if (!id) return false;
  const Variable& variable = step.facts.variables[id];
  return variable.tracked && !variable.global && !variable.reference && !variable.referred;
}

void tell_if_freed(const Step& step, const Call& call, const Operand& operand) {
  const Object* object = step.find(step.object_of(operand));
  if (object != nullptr && object->freed && is_own(step, operand.place))
    step.tell(DataUse::kFreed, call, operand, *object);
}

void free_memory(Step& step, const Call& call) {
  if (call.model->result != Placement::kCpu) step.waited();
  if (call.arguments.empty()) return;
  const Operand& pointer = call.arguments.front();
  const ObjectId id = step.object_of(pointer);
  if (step.find(id) == nullptr) return;
  tell_if_freed(step, call, pointer);
  step.events.freed({step.block, &call, id});
  Object* object = step.find(id);
  object->device = Device::unknown();
  step.escape(id);
  object = step.find(id);
  if (is_own(step, pointer.place)) object->freed = step.fact;
  step.write(id);
}

}  // namespace xfer::analyzer
