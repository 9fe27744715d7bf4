// What a function hands to others: arguments, fields of objects.

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

void Interpreter::hand(Holder to, SpotId spot, const Value& value, const State& state,
                       bool loaded) {
  if (observer_ == nullptr) return;
  HandedEvent event{to, block_, spot, value, value.device, {}, loaded};
  if (value.kind == ValueKind::kObject) {
    event.device = device_of(state, value.object);
    if (const Object* object = state.objects.find(value.object)) event.object = *object;
  } else if (value.kind != ValueKind::kDevice) {
    event.device = Device::unknown();
  }
  observer_->handed(event);
}

void Interpreter::hand_arguments(const Call& call, const State& state) {
  if (observer_ == nullptr) return;
  const FunctionId callee = call.callee ? call.callee : call.named;
  if (!callee) return;
  const auto give = [&](std::uint32_t parameter, const Operand& operand) {
    if (operand.role == Role::kTensor || operand.role == Role::kModule ||
        operand.role == Role::kDevice || operand.role == Role::kList ||
        operand.role == Role::kTuple)
      hand(Holder::parameter(callee, parameter), call.callee_spot, value(operand.value, state),
           state);
  };
  if (call.has_receiver) give(kThisParameter, call.receiver);
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index)
    give(index, call.arguments[index]);
}

/// `value` is what the fields hold that `whole` is in, or a part of that.
void Interpreter::hand_to_fields(ObjectId whole, ObjectId value, const State& state, bool loaded) {
  if (observer_ == nullptr || whole == 0) return;
  for (const auto& [key, held] : state.fields)
    if (held.object == whole && key.second < unit_.fields.size())
      hand(Holder::field(key.second), running_->spot, Value::of(value), state, loaded);
}

}  // namespace xfer::analyzer
