// Modules: where they and their parts are, and whether their forward needs its input there.

#include <vector>

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {
namespace {

bool is_whole(const Where& where, std::uint32_t parameter) {
  return where.kind == Where::Kind::kOfParameter && where.parameter == parameter &&
         where.path.empty();
}

}  // namespace

/// Whether the modules of a class need their input where they are. Of a team's own container its
/// constructors tell, if all of them agree.
Strict Interpreter::class_strict(ClassId record) const {
  const Class& known = unit_[record];
  if (!record) return Strict::kUnknown;
  if (!known.library) {
    if (!known.container) return Strict::kUnknown;
    std::optional<Strict> strict;
    for (const FunctionId constructor : known.constructors) {
      if (unit_[constructor].copies) continue;
      const Summary& made = surroundings_.summary_of(constructor);
      if (!made.known || (strict && *strict != made.self_strict)) return Strict::kUnknown;
      strict = made.self_strict;
    }
    return strict.value_or(Strict::kUnknown);
  }
  const FunctionModel* forward = known.forward_model;
  if (forward == nullptr || forward->module_parts) return Strict::kUnknown;
  return forward->module_forward ? Strict::kYes : Strict::kNo;
}

/// The same of a team's own module, by what its forward does with its input.
Strict Interpreter::forward_strict(ClassId record) const {
  const FunctionId forward = unit_[record].forward;
  if (!forward) return Strict::kUnknown;
  for (const Need& need : surroundings_.summary_of(forward).needs)
    if (!need.zero_dim_cpu && ((is_whole(need.first, kThisParameter) && is_whole(need.second, 0)) ||
                               (is_whole(need.first, 0) && is_whole(need.second, kThisParameter))))
      return Strict::kYes;
  return Strict::kUnknown;
}

/// A container is as strict, and where, the modules are that it is made of.
void Interpreter::take_parts(const Call& call, Object& container, const State& state) const {
  container.strict = Strict::kNo;
  Device parts = Device::bottom();
  for (const Operand& operand : call.arguments) {
    const ObjectId part = object_of(operand, state);
    const Object* object = state.objects.find(part);
    if (object == nullptr || object->kind != ObjectKind::kModule) {
      if (container.strict == Strict::kNo) container.strict = Strict::kUnknown;
      continue;
    }
    parts = join(parts, state.device_of(part));
    if (container.strict == Strict::kNo) container.strict = object->strict;
  }
  if (parts.kind != DeviceKind::kBottom) container.device = parts;
}

Value Interpreter::new_module(const Call& call, State& state) {
  Object made;
  made.kind = ObjectKind::kModule;
  made.placed = Placed::kMade;
  made.where = call.spot;
  made.strict = class_strict(call.result.record);
  const Summary* summary = call.callee ? &surroundings_.summary_of(call.callee) : nullptr;
  if (call.library) {
    made.device = unit_.default_place;
    if (unit_[call.result.record].container) take_parts(call, made, state);
  } else if (summary != nullptr && summary->known) {
    made.device = self_after(call, *summary, Device::bottom(), state);
    if (made.device.kind == DeviceKind::kBottom) made.device = Device::cpu();
    if (made.strict == Strict::kUnknown) made.strict = summary->self_strict;
  } else {
    made.device = Device::unknown();
    if (observer_ != nullptr) observer_->unknown("constructor of a module without a body here");
  }
  if (!call.library && made.strict == Strict::kUnknown && call.result.record)
    made.strict = forward_strict(call.result.record);
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
    if (object == nullptr || part == id || object->parent == id) continue;
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

Value Interpreter::move_module(const Call& call, State& state) {
  if (const ObjectId module = call.has_receiver ? object_of(call.receiver, state) : 0;
      module != 0) {
    std::optional<Device> device = device_argument(call, state, false);
    if (call.model->result == Placement::kCpu) device = Device::cpu();
    if (call.model->result == Placement::kCuda && !device) device = Device::cuda(Device::kCurrent);
    if (device) set_device(module, *device, Placed::kMoved, call.spot, state);
    if (device && observer_ != nullptr) observer_->module_moved({&call, *device});
  }
  return call.result.role == Role::kModule ? value(call.receiver.value, state) : Value{};
}

/// A function registers in its receiver what it was given, or a module that it made while only its
/// callers know where the receiver is: then they know, too, whether the two are in one place.
bool Interpreter::part_apart(ObjectId receiver, Object& owner, Device part) const {
  if (origins_[receiver].origin != Origin::kThis ||
      join(owner.device, part).kind != DeviceKind::kUnknown)
    return false;
  const auto given = [&](Device device) -> std::optional<std::uint32_t> {
    if (!device.is_symbol()) return std::nullopt;
    const Symbol& symbol = symbols_[device.symbol];
    const bool whole = symbol.origin == Origin::kParameter && !symbol.of_device && !symbol.returned;
    return whole && symbol.parameter < kCpuPart ? std::optional(symbol.parameter) : std::nullopt;
  };
  const bool receivers =
      owner.device.is_symbol() && symbols_[owner.device.symbol].origin == Origin::kThis;
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

/// Where the receiver is after a call; `before`: where it was.
Device Interpreter::self_after(const Call& call, const Summary& summary, Device before,
                               State& state) {
  Device after = summary.self_empty ? before : substitute(call, summary.self, state);
  for (const Where& part : summary.parts) after = join(after, substitute(call, part, state));
  return after;
}

Value Interpreter::register_parts(const Call& call, State& state) {
  const ObjectId receiver = call.has_receiver ? object_of(call.receiver, state) : 0;
  Value part;
  for (const Operand& operand : call.arguments) {
    const Value held = value(operand.value, state);
    if (operand.role != Role::kModule && operand.role != Role::kTensor) continue;
    Object* owner = state.objects.find(receiver);
    if (held.kind != ValueKind::kObject) {
      if (owner != nullptr) owner->device = Device::unknown();
      continue;
    }
    part = held;
    const Device device = state.device_of(held.object);
    if (owner == nullptr || held.object == receiver) continue;
    Object* added = state.objects.find(held.object);
    const bool apart = part_apart(receiver, *owner, device);
    if (!apart) owner->device = join(owner->device, device);
    if (owner->strict == Strict::kNo && added->kind == ObjectKind::kModule)
      owner->strict = added->strict;
    if (added->parent == 0 && !apart) added->parent = receiver;
  }
  if (call.result.role == Role::kNone) return {};
  return part.kind == ValueKind::kNone ? fresh(call.result, state, 0) : part;
}

/// Some part of `whole` is on `device` now: so what it is a part of is there, or in several places.
void Interpreter::part_moved(ObjectId whole, Device device, State& state, unsigned depth) {
  for (; whole != 0 && depth < 8; ++depth) {
    Object* at = state.objects.find(whole);
    if (at == nullptr) return;
    if (!(at->device == device)) at->device = Device::unknown();
    const ObjectId around = at->parent;
    if (at->kind == ObjectKind::kList) element_moved(whole, device, state, depth + 1);
    whole = around;
  }
}

/// An element of a list of modules was moved: it may be any that was put there, and the module that
/// registered them has a part elsewhere.
void Interpreter::element_moved(ObjectId list, Device device, State& state, unsigned depth) {
  std::vector<ObjectId> wholes;
  for (const auto& [key, value] : state.fields) {
    const bool named = key.second < unit_.fields.size();
    if (value.object == list && named && unit_.fields[key.second].registered)
      wholes.push_back(key.first);
    Object* element = key.first == list && !named ? state.objects.find(value.object) : nullptr;
    if (element == nullptr || element->kind != ObjectKind::kModule) continue;
    if (element->parent != 0)
      wholes.push_back(element->parent);
    else if (!(element->device == device))
      element->device = Device::unknown();
  }
  for (const ObjectId whole : wholes) part_moved(whole, device, state, depth);
}

void Interpreter::set_device(ObjectId id, Device device, Placed placed, SpotId where,
                             State& state) {
  Object* object = state.objects.find(id);
  if (object == nullptr) return;
  part_moved(object->parent, device, state);
  object->parent = 0;
  object->parts = 0;
  object->device = device;
  object->placed = placed;
  object->where = where;
  // Everything registered goes along.
  for (const auto& [key, value] : state.fields) {
    if (key.first != id || value.object == 0 || key.second >= unit_.fields.size()) continue;
    Object* part = state.objects.find(value.object);
    if (part != nullptr && unit_.fields[key.second].registered && value.object != id)
      part->parent = id;
  }
}

/// `net->children()`, `net[0]`, `net->at<Linear>(0)`: what moves the part moves a part of the
/// whole.
void Interpreter::hand_out_part(ObjectId whole, const Value& part, State& state) {
  Object* made = part.kind == ValueKind::kObject ? state.objects.find(part.object) : nullptr;
  if (made == nullptr || whole == 0 || whole == part.object) return;
  if (made->kind == ObjectKind::kModule || made->kind == ObjectKind::kList) made->parent = whole;
  // The parts of a container are as strict as the first of them.
  if (const Object* container = state.objects.find(whole);
      made->kind == ObjectKind::kModule && made->strict == Strict::kUnknown && container != nullptr)
    made->strict = container->strict;
}

}  // namespace xfer::analyzer
