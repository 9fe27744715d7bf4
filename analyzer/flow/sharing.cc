// Modules that are held in several places: a handle's copy in a container or in another object.
// What moves the module through one of them moves it for all.

#include <vector>

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

/// The module is held where the flow does not follow it: whoever holds it may move it. What is
/// registered in another goes where that goes.
void Interpreter::share(ObjectId id, State& state) {
  const Object* object = state.objects.find(id);
  if (object == nullptr || object->kind != ObjectKind::kModule) return;
  const Object* whole = state.objects.find(object->parent);
  if (whole == nullptr || whole->kind != ObjectKind::kModule) lose(id, state);
}

/// The same of all modules that are parts of a tuple, a record or a list.
void Interpreter::share_parts(ObjectId whole, State& state, unsigned depth) {
  const Object* object = state.objects.find(whole);
  if (object == nullptr || object->kind == ObjectKind::kModule || depth > 3) return;
  for (const ObjectId part : state.parts_of(whole)) share_whole(part, state, depth + 1);
}

void Interpreter::share_whole(ObjectId id, State& state, unsigned depth) {
  share(id, state);
  share_parts(id, state, depth);
}

/// A variable of this function, or a field, holds the object.
bool Interpreter::held_here(ObjectId id, const State& state) const {
  if (id == 0) return false;
  for (const auto& [variable, held] : state.variables)
    if (held.object == id &&
        (variable >= facts_.variables.size() || !facts_.variables[variable].global))
      return true;
  for (const auto& [key, held] : state.fields)
    if (held.object == id && key.second < unit_.fields.size()) return true;
  return false;
}

/// An object that keeps the very module that its constructor was given; false: it did not.
bool Interpreter::hold_given(const Call& call, const FieldHeld& held, ObjectId id, FieldId field,
                             State& state) {
  const Operand* operand = held.given ? argument(call, *held.given) : nullptr;
  const Value given = operand == nullptr ? Value{} : value(operand->value, state);
  Object* module = state.objects.find(given.object);
  if (module == nullptr || module->kind != ObjectKind::kModule) return false;
  state.fields[{id, field}] = given;
  const bool together = state.device_of(id) == state.device_of(given.object);
  if (unit_.fields[field].registered && together && module->parent == 0) module->parent = id;
  return true;
}

/// A method moved or replaced modules that the object holds.
void Interpreter::share_changed(const Call& call, const Summary& summary, ObjectId self,
                                State& state) {
  std::vector<ObjectId> changed;
  for (const FieldHeld& held : summary.fields)
    for (const auto& [key, value] : state.fields)
      if (key.first == self && key.second < unit_.fields.size() &&
          unit_.fields[key.second].name == held.field)
        changed.push_back(value.object);
  if (summary.unknown_calls && call.receiver.pass == Pass::kMutable) share_parts(self, state);
  for (const ObjectId id : changed) share(id, state);
}

/// The result of a call that hands out a field's module: that module, as the call left it. `made`
/// is where.
Value Interpreter::handed_out(const Call& call, const Outcome& outcome, Value made, State& state) {
  if (!outcome.same_object || outcome.path.empty() || call.result.role != Role::kModule)
    return made;
  Where field;
  field.parameter = outcome.parameter;
  field.path = outcome.path;
  const Value held = argument_value(call, field, state);
  if (state.objects.find(held.object) == nullptr) return made;
  const Device left = state.device_of(made.object);
  if (left.kind != DeviceKind::kUnknown && !(left == state.device_of(held.object)))
    set_device(held.object, left, Placed::kMoved, call.spot, state);
  return held;
}

}  // namespace xfer::analyzer
