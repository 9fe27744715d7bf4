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

bool is_followed(const Step& step, PlaceId place) {
  return place && is_followed(step, step.facts.places[place].root);
}

bool is_followed(const Step& step, VariableId id) {
  const Variable& variable = step.facts.variables[id];
  return variable.tracked && (variable.global || !variable.referred);
}

void tell_if_freed(const Step& step, const Call& call, const Operand& operand) {
  const Object* object = step.find(step.object_of(operand));
  if (object != nullptr && object->freed && is_followed(step, operand.place))
    step.tell(DataUse::kFreed, call, operand, *object);
}

void note_freed(const Step& step, PlaceId pointer, Object& memory) {
  if (!is_followed(step, pointer)) return;
  memory.freed = step.fact;
  memory.freed_outside = !is_own(step, pointer);
}

void free_memory(Step& step, const Call& call) {
  if (call.model->result != Placement::kCpu) step.waited();
  if (call.arguments.empty()) return;
  const Operand& pointer = call.arguments.front();
  const ObjectId id = step.object_of(pointer);
  if (step.find(id) == nullptr) return;
  if (!call.second_try) tell_if_freed(step, call, pointer);
  step.events.freed({step.block, &call, id});
  Object* object = step.find(id);
  object->device = Device::unknown();
  step.escape(id);
  object = step.find(id);
  note_freed(step, pointer.place, *object);
  step.write(id);
}

}  // namespace xfer::analyzer
