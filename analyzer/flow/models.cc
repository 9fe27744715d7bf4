// Calls whose row in the models says what they do: modules, devices, options, lists.

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

/// `torch::load(x, file)`. A module that was moved is taken to have been saved where it is; any
/// other, and a tensor, may come from anywhere, unless a device is given.
void Interpreter::load_file(const Call& call, State& state) {
  if (call.arguments.empty()) return;
  const Operand& target = call.arguments.front();
  const std::optional<Device> device = device_argument(call, state, false);
  const ObjectId id = object_of(target, state);
  const Object* object = state.objects.find(id);
  if (target.role == Role::kTensor && target.place != 0) {
    const Value read = fresh(Role::kTensor, state, 0);
    Object* made = state.objects.find(read.object);
    if (device) made->device = *device;
    made->placed = device ? Placed::kMoved : Placed::kUnknown;
    made->where = call.spot;
    return assign(target, read, state);
  }
  if (target.role != Role::kModule || object == nullptr) return lose(id, state);
  if (device)
    set_device(id, *device, Placed::kMoved, call.spot, state);
  else if (object->placed != Placed::kMoved)
    set_device(id, Device::unknown(), Placed::kUnknown, call.spot, state);
  write(id, state);
}

Value Interpreter::apply_model(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  // What keeps its tensors does so whatever it wants of them.
  if (model.requires_ == Requirement::kLeaf && call.form == CallForm::kConstruct)
    return apply_unknown(call, state);
  const ObjectId receiver = call.has_receiver ? object_of(call.receiver, state) : 0;
  if (unit_.follows_memory && model.kind == CallKind::kPlain) use_memory(call, state);
  switch (model.kind) {
    case CallKind::kTransfer: return apply_transfer(call, state);
    case CallKind::kMove: return move_module(call, state);
    case CallKind::kRegister: return register_parts(call, state);
    case CallKind::kDeviceQuery: {
      if (call.result.role != Role::kDevice && call.result.role != Role::kOptions) return {};
      const Value held = value(call.receiver.value, state);
      Device device = Device::unknown();
      if (held.kind == ValueKind::kObject) device = state.device_of(held.object);
      if (held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions) device = held.device;
      if (!call.has_receiver && !call.arguments.empty())
        device = state.device_of(object_of(call.arguments.front(), state));
      if (call.result.role == Role::kDevice) return Value::of(device);
      Value options = Value::options(device, true);
      if (const Object* asked = state.objects.find(receiver)) options.element = asked->element;
      if (held.kind == ValueKind::kOptions) options.element = held.element;
      return options;
    }
    case CallKind::kDeviceChoice: {
      if (call.result.role != Role::kDevice) return {};
      const Device device = opaque(state, 0);
      symbols_[device.symbol].may_cpu = symbols_[device.symbol].may_cuda = true;
      symbols_[device.symbol].chosen = call.spot;
      return Value::of(device);
    }
    case CallKind::kDevice: {
      const std::optional<Device> device = device_argument(call, state, false);
      return Value::of(device ? *device : opaque(state, 0));
    }
    case CallKind::kOptions: {
      const std::optional<Device> device = device_argument(call, state, false);
      const Value held = call.has_receiver ? value(call.receiver.value, state) : Value{};
      if (device) return options_value(call, Value::options(*device, true), state);
      if (held.kind == ValueKind::kOptions) return options_value(call, held, state);
      if (held.kind == ValueKind::kObject)
        return options_value(call, Value::options(state.device_of(held.object), true), state);
      return options_value(call, Value::options(unit_.default_place, false), state);
    }
    case CallKind::kAppend: {
      for (const Operand& operand : call.arguments) {
        const ObjectId part = object_of(operand, state);
        if (!held_here(receiver, state)) share_whole(part, state);
        if (state.objects.find(receiver) == nullptr || part == receiver) continue;
        if (part != 0 || operand.role != Role::kNone) add_element(receiver, part, state);
      }
      write(receiver, state);
      if (call.result.role == Role::kNone) return {};
      return fresh(call.result, state, 0);
    }
    case CallKind::kLoad: load_file(call, state); return {};
    case CallKind::kAllocate: return allocate(call, state);
    case CallKind::kFree: free_memory(call, state); return {};
    case CallKind::kCopy: copy_memory(call, state); return {};
    case CallKind::kSetDevice:
    case CallKind::kSynchronize: return {};
    case CallKind::kMakeHandle:
    case CallKind::kElement:
    case CallKind::kTuple:
    case CallKind::kPass:
    case CallKind::kPlain: break;
  }
  return apply_plain(call, state);
}

}  // namespace xfer::analyzer
