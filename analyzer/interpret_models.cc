// Calls whose row in the models says what they do: modules, devices, options, lists.

#include <clang/AST/DeclCXX.h>

#include "analyzer/interpret.h"

namespace xfer::analyzer {

Value Interpreter::new_module(const Call& call, State& state) {
  Object made;
  made.kind = ObjectKind::kModule;
  made.placed = Placed::kMade;
  made.where = call.spot;
  made.strict = class_strict(call.result.record);
  const Summary* summary = call.callee != nullptr ? &surroundings_.summary_of(*call.callee) : nullptr;
  if (call.library) {
    made.device = Device::cpu();
    const FunctionModel* forward =
        call.result.record == nullptr
            ? nullptr
            : models_.find(types_.qualified_name(*call.result.record) + "::forward", 1);
    if (forward != nullptr && forward->module_parts) {
      // A container of modules is as strict, and where, its parts are.
      made.strict = Strict::kNo;
      Device parts = Device::bottom();
      for (const Operand& operand : call.arguments) {
        const ObjectId part = object_of(operand, state);
        const Object* object = state.objects.find(part);
        if (object == nullptr || object->kind != ObjectKind::kModule) {
          if (made.strict == Strict::kNo) made.strict = Strict::kUnknown;
          continue;
        }
        parts = join(parts, device_of(state, part));
        if (made.strict == Strict::kNo) made.strict = object->strict;
      }
      if (parts.kind != DeviceKind::kBottom) made.device = parts;
    }
  } else if (summary != nullptr && summary->known) {
    made.device = summary->self_empty ? Device::cpu() : substitute(call, summary->self, state);
  } else {
    made.device = Device::unknown();
    if (observer_ != nullptr) observer_->unknown("constructor of a module without a body here");
  }
  if (summary != nullptr && summary->known && made.strict == Strict::kUnknown)
    made.strict = summary->self_strict;
  const ObjectId id = make(state, 0, made);
  if (summary != nullptr && summary->known) {
    hold_fields(call, *summary, id, state);
    for (std::uint32_t index = 0; index < call.arguments.size(); ++index)
      if (index < summary->escapes.size() && summary->escapes[index])
        state.escape(object_of(call.arguments[index], state));
  }
  // Whatever the container keeps is a part of it from now on.
  for (const Operand& operand : call.arguments) {
    const ObjectId part = object_of(operand, state);
    Object* object = state.objects.find(part);
    if (object == nullptr || part == id) continue;
    if (object->kind == ObjectKind::kModule) {
      if (call.library)
        object->parent = id;
      else
        lose(part, state);
    } else {
      state.escape(part);
    }
  }
  return Value::of(id);
}

/// `torch::load(x, file)`. A module that was moved is taken to have been saved where it is; any other, and a
/// tensor, may come from anywhere, unless a device is given.
void Interpreter::load_file(const Call& call, State& state) {
  if (call.arguments.empty()) return;
  const Operand& target = call.arguments.front();
  const std::optional<Device> device = device_argument(call, state, false);
  const ObjectId id = object_of(target, state);
  const Object* object = state.objects.find(id);
  if (target.role == Role::kTensor && target.place != 0) {
    const Value read = fresh(Role::kTensor, nullptr, state, 0);
    Object* made = state.objects.find(read.object);
    if (device) made->device = *device;
    made->placed = device ? Placed::kMoved : Placed::kUnknown;
    made->where = call.spot;
    return assign(target, read, state);
  }
  if (target.role != Role::kModule || object == nullptr) return lose(id, state);
  if (device) set_device(id, *device, Placed::kMoved, call.spot, state);
  else if (object->placed != Placed::kMoved) set_device(id, Device::unknown(), Placed::kUnknown, call.spot, state);
  write(id, state);
}

Value Interpreter::apply_model(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  // What keeps its tensors does so whatever it wants of them.
  if (model.requires_ == Requirement::kLeaf && call.form == CallForm::kConstruct)
    return apply_unknown(call, state);
  const ObjectId receiver = call.has_receiver ? object_of(call.receiver, state) : 0;
  switch (model.kind) {
    case CallKind::kTransfer: return apply_transfer(call, state);
    case CallKind::kMove: {
      if (receiver != 0) {
        std::optional<Device> device = device_argument(call, state, false);
        if (model.result == Placement::kCpu) device = Device::cpu();
        if (model.result == Placement::kCuda && !device) device = Device::cuda(Device::kCurrent);
        if (device) set_device(receiver, *device, Placed::kMoved, call.spot, state);
      }
      return call.result.role == Role::kModule ? value(call.receiver.value, state) : Value{};
    }
    case CallKind::kRegister: {
      Value part;
      for (const Operand& operand : call.arguments) {
        const Value held = value(operand.value, state);
        const bool followed = operand.role == Role::kModule || operand.role == Role::kTensor;
        if (!followed) continue;
        Object* owner = state.objects.find(receiver);
        if (held.kind != ValueKind::kObject) {
          if (owner != nullptr) owner->device = Device::unknown();
          continue;
        }
        part = held;
        const Device device = device_of(state, held.object);
        if (owner == nullptr || held.object == receiver) continue;
        owner->device = join(owner->device, device);
        Object* added = state.objects.find(held.object);
        if (owner->strict == Strict::kNo && added->kind == ObjectKind::kModule)
          owner->strict = added->strict;
        if (added->parent == 0) added->parent = receiver;
      }
      if (call.result.role == Role::kNone) return {};
      return part.kind == ValueKind::kNone ? fresh(call.result.role, call.result.record, state, 0)
                                           : part;
    }
    case CallKind::kDeviceQuery: {
      if (call.result.role != Role::kDevice && call.result.role != Role::kOptions) return {};
      const Value held = value(call.receiver.value, state);
      Device device = Device::unknown();
      if (held.kind == ValueKind::kObject) device = device_of(state, held.object);
      if (held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions) device = held.device;
      if (!call.has_receiver && !call.arguments.empty())
        device = device_of(state, object_of(call.arguments.front(), state));
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
        return options_value(call, Value::options(device_of(state, held.object), true), state);
      return options_value(call, Value::options(Device::cpu(), false), state);
    }
    case CallKind::kAppend: {
      for (const Operand& operand : call.arguments) {
        const ObjectId part = object_of(operand, state);
        Object* list = state.objects.find(receiver);
        if (list == nullptr || part == receiver) continue;
        list->device = part == 0 ? (operand.role == Role::kNone ? list->device : Device::unknown())
                                 : join(list->device, device_of(state, part));
        const Object* added = state.objects.find(part);
        if (added == nullptr) continue;
        if (list->where == 0) list->where = added->where;
        const ObjectId alias = list->alias;
        state.merge_aliases(alias, added->alias);
        state.fields[{receiver, kFirstAppended + fact_}] = Value::of(part);
        state.escape(part);
        if (observer_ != nullptr) observer_->escaped(part, block_);
      }
      write(receiver, state);
      if (call.result.role == Role::kNone) return {};
      return fresh(call.result.role, call.result.record, state, 0);
    }
    case CallKind::kLoad: load_file(call, state); return {};
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
