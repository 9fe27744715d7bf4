#include "analyzer/flow/modules.h"

#include <optional>

#include "analyzer/flow/held_fields.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/strictness.h"
#include "analyzer/flow/substitution.h"

namespace xfer::analyzer {
namespace {

/// A container is as strict, and where, the modules are that it is made of.
void take_parts(const Step& step, const Call& call, Object& container) {
  container.strict = Strict::kNo;
  Device parts = Device::bottom();
  for (const Operand& operand : call.arguments) {
    const ObjectId part = step.object_of(operand);
    const Object* object = step.find(part);
    if (object == nullptr || object->kind != ObjectKind::kModule) {
      if (container.strict == Strict::kNo) container.strict = Strict::kUnknown;
      continue;
    }
    parts = join(parts, step.device_of(part));
    if (container.strict == Strict::kNo) container.strict = object->strict;
  }
  if (parts.kind != DeviceKind::kBottom) container.device = parts;
}

/// A function registers in its receiver what it was given, or a module that it made while only its
/// callers know where the receiver is: then they know, too, whether the two are in one place.
bool part_apart(const Step& step, ObjectId receiver, Object& owner, Device part) {
  if (step.origins[receiver].origin != Origin::kThis ||
      join(owner.device, part).kind != DeviceKind::kUnknown)
    return false;
  const auto given = [&](Device device) -> std::optional<std::uint32_t> {
    if (!device.is_symbol()) return std::nullopt;
    const Symbol& symbol = step.symbols[device.symbol];
    const bool whole = symbol.origin == Origin::kParameter && !symbol.of_device && !symbol.returned;
    return whole && symbol.parameter < kCpuPart ? std::optional(symbol.parameter) : std::nullopt;
  };
  const bool receivers =
      owner.device.is_symbol() && step.symbols[owner.device.symbol].origin == Origin::kThis;
  if (const auto parameter = given(part)) {
    if (owner.device.kind == DeviceKind::kUnknown) return false;
    owner.parts |= 1U << *parameter;
  } else if (part.is_cpu() && receivers) {
    owner.parts |= 1U << kCpuPart;
  } else if (const auto first = given(owner.device); first && part.kind != DeviceKind::kUnknown) {
    owner.parts |= 1U << *first;
    owner.device = part;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Value new_module(Step& step, const Call& call) {
  Object made;
  made.kind = ObjectKind::kModule;
  made.placed = Placed::kMade;
  made.placed_at = call.spot;
  made.strict = class_strict(step.unit, step.surroundings, call.result.record);
  Substitution terms(step, call);
  const Summary* summary = call.callee ? &step.surroundings.summary_of(call.callee) : nullptr;
  if (call.library) {
    made.device = step.unit.default_place;
    if (step.unit[call.result.record].container) take_parts(step, call, made);
  } else if (summary != nullptr && summary->known) {
    made.device = terms.self_after(*summary, Device::bottom());
    if (made.device.kind == DeviceKind::kBottom) made.device = Device::cpu();
    if (made.strict == Strict::kUnknown) made.strict = summary->self_strict;
  } else {
    made.device = Device::unknown();
    step.events.unknown("constructor of a module without a body here");
  }
  if (!call.library && made.strict == Strict::kUnknown && call.result.record)
    made.strict = forward_strict(step.unit, step.surroundings, call.result.record);
  const ObjectId id = step.make(0, made);
  if (summary != nullptr && summary->known) {
    hold_constructed(step, terms, *summary, id);
    for (std::uint32_t index = 0; index < call.arguments.size(); ++index)
      if (index < summary->escapes.size() && summary->escapes[index])
        step.state.escape(step.object_of(call.arguments[index]));
  }
  // Each argument that the container keeps is a part of it from now on.
  for (const Operand& operand : call.arguments) {
    const ObjectId part = step.object_of(operand);
    Object* object = step.find(part);
    if (object == nullptr || part == id || object->parent == id) continue;
    if (object->kind == ObjectKind::kModule) {
      if (call.library)
        object->parent = id;
      else
        lose(step, part);
    } else {
      step.state.escape(part);
    }
  }
  return Value::of(id);
}

Value move_module(Step& step, const Call& call) {
  if (const ObjectId module = call.has_receiver ? step.object_of(call.receiver) : ObjectId();
      module) {
    std::optional<Device> device = device_argument(step, call, false);
    if (call.model->result == Placement::kCpu) device = Device::cpu();
    if (call.model->result == Placement::kCuda && !device) device = step.state.current;
    if (device && call.receiver.role == Role::kList) {
      move_elements(step, module, *device, call.spot);
      return {};
    }
    if (device) {
      step.events.module_moved({step.block, &call, step.device_of(module), *device});
      set_device(step, module, *device, Placed::kMoved, call.spot);
    }
  }
  return call.result.role == Role::kModule ? step.value(call.receiver.value) : Value{};
}

void fill(Object& container, Strict with) {
  if (container.strict == Strict::kNo) container.strict = with;
  if (container.filled == Strict::kNo) container.filled = with;
}

Value register_parts(Step& step, const Call& call) {
  const ObjectId receiver = call.has_receiver ? step.object_of(call.receiver) : ObjectId();
  Value part;
  for (const Operand& operand : call.arguments) {
    const Value held = step.value(operand.value);
    if (operand.role != Role::kModule && operand.role != Role::kTensor) continue;
    Object* owner = step.find(receiver);
    if (held.kind != ValueKind::kObject) {
      if (owner != nullptr) owner->device = Device::unknown();
      continue;
    }
    part = held;
    const Device device = step.device_of(held.object);
    if (owner == nullptr || held.object == receiver) continue;
    Object* added = step.find(held.object);
    const bool apart = part_apart(step, receiver, *owner, device);
    if (!apart) owner->device = join(owner->device, device);
    if (added->kind == ObjectKind::kModule) fill(*owner, added->strict);
    if (!added->parent && !apart) added->parent = receiver;
    // Where only callers know the receiver, they find the part in it.
    if (apart) added->escaped = true;
  }
  if (call.result.role == Role::kNone) return {};
  return part.kind == ValueKind::kNone ? step.fresh(call.result, 0) : part;
}

}  // namespace xfer::analyzer
