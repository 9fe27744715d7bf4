#include "analyzer/flow/handed.h"

namespace xfer::analyzer {
namespace {

/// The callee puts what it is given for a parameter where it is when the call is over.
bool keeps(const Step& step, FunctionId callee, std::uint32_t parameter) {
  const Summary& own = step.surroundings.summary_of(callee);
  const Summary& summary = own.known ? own : step.surroundings.summary_of_any(callee);
  const std::vector<bool>& escapes = summary.escapes;
  return parameter < escapes.size() && escapes[parameter];
}

/// The holder points to memory.
bool is_pointer(const Step& step, const Holder& to) {
  if (to.kind == Holder::Kind::kField)
    return step.unit.fields.has(to.field_id()) &&
           step.unit.fields[to.field_id()].type.role == Role::kMemory;
  if (to.kind != Holder::Kind::kParameter || to.number == kThisParameter) return false;
  const std::vector<Parameter>& parameters = step.unit[to.function].parameters;
  return to.number < parameters.size() && parameters[to.number].role == Role::kMemory;
}

}  // namespace

void hand(const Step& step, Holder to, SpotId spot, const Value& value, bool loaded, bool kept) {
  if (!step.observed()) return;
  HandedEvent event{.to = to,
                    .kept = kept,
                    .fact = step.fact,
                    .block = step.block,
                    .spot = spot,
                    .value = value,
                    .device = value.device,
                    .object = {},
                    .loaded = loaded};
  if (value.kind == ValueKind::kObject) {
    event.device = step.device_of(value.object);
    if (const Object* object = step.find(value.object)) event.object = *object;
    // An array of pointers is the host's, wherever these point.
    if (event.object.kind == ObjectKind::kList && is_pointer(step, to))
      event.device = event.object.device = Device::cpu();
  } else if (value.kind != ValueKind::kDevice) {
    event.device = Device::unknown();
  }
  step.events.handed(event);
}

void relocated(const Step& step, ObjectId module) {
  const Object* object = step.find(module);
  if (step.observed() && object != nullptr && object->kind == ObjectKind::kModule)
    step.events.relocated({module, step.spot, step.device_of(module), *object});
}

void hand_arguments(const Step& step, const Call& call) {
  const FunctionId callee = callee_of(call);
  if (!callee || !step.observed()) return;
  const auto give = [&](std::uint32_t parameter, const Operand& operand) {
    if (operand.role == Role::kTensor || operand.role == Role::kModule ||
        operand.role == Role::kDevice || operand.role == Role::kList ||
        operand.role == Role::kTuple || operand.role == Role::kMemory)
      hand(step, Holder::parameter(callee, parameter), call.callee_spot, step.value(operand.value),
           false, keeps(step, callee, parameter));
  };
  if (call.has_receiver) give(kThisParameter, call.receiver);
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index)
    give(index, call.arguments[index]);
}

void hand_to_global(const Step& step, VariableId variable, SpotId spot, const Value& value,
                    bool loaded) {
  if (!step.facts.variables.has(variable)) return;
  const FieldId field = step.facts.variables[variable].field;
  if (field == FieldId()) return;
  hand(step, Holder::field(field), spot, value, loaded);
  step.events.unknown_call();
}

void hand_to_fields(const Step& step, ObjectId whole, ObjectId value, bool loaded) {
  if (!step.observed() || !whole) return;
  for (const auto& [variable, held] : step.state.variables)
    if (held.object == whole) hand_to_global(step, variable, step.spot, Value::of(value), loaded);
  for (const auto& [key, held] : step.state.fields)
    if (held.object == whole && step.unit.fields.has(key.second))
      hand(step, Holder::field(key.second), step.spot, Value::of(value), loaded);
}

}  // namespace xfer::analyzer
