// Calls of functions that have a summary: it is read in terms of the arguments.

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

namespace {

/// What a callee chose is one device in all that it hands back: numbers of choices, from here on.
constexpr std::uint32_t kFirstChoice = 0x1000;

/// None: neither the class nor a base of it has a field of that name.
std::optional<FieldId> field_named(const Unit& unit, ClassId record, std::string_view name) {
  for (const FieldId field : unit[record].fields)
    if (unit.fields[field].name == name) return field;
  for (const ClassId base : unit[record].bases)
    if (const std::optional<FieldId> field = field_named(unit, base, name)) return field;
  return std::nullopt;
}

/// The class of what a callee gets as `parameter`.
ClassId class_of(const Unit& unit, FunctionId callee, std::uint32_t parameter) {
  const Function& function = unit[callee];
  if (parameter == kThisParameter) return function.object;
  return parameter < function.parameters.size() ? function.parameters[parameter].object : ClassId();
}

/// A constructor keeps the module in a field, and nowhere else.
bool kept_as_given(const Summary& summary, std::uint32_t parameter) {
  return std::any_of(summary.fields.begin(), summary.fields.end(),
                     [&](const FieldHeld& held) { return held.given == parameter; });
}

}  // namespace

/// What the callee calls `path` of one of its parameters.
Value Interpreter::argument_value(const Call& call, const Where& where, State& state) {
  const Operand* operand = argument(call, where.parameter);
  Value held = operand == nullptr ? Value{} : value(operand->value, state);
  if (where.path.empty()) return held;
  ClassId record = class_of(unit_, call.callee, where.parameter);
  std::string_view rest = where.path;
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    const std::optional<FieldId> field = field_named(unit_, record, rest.substr(0, dot));
    if (!field || held.kind != ValueKind::kObject) return {};
    held = field_value(held.object, *field, state);
    record = unit_.fields[*field].object;
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  return held;
}

/// The device that a parameter is by default, or where the module is.
Device Interpreter::by_default(FunctionId callee, std::uint32_t parameter) const {
  if (parameter >= unit_[callee].declared) return Device::unknown();
  const DefaultArgument& given = unit_[callee].parameters[parameter].by_default;
  switch (given.kind) {
    case DefaultArgument::Kind::kUnknown: break;
    case DefaultArgument::Kind::kDevice: return given.device;
    case DefaultArgument::Kind::kNoModule: return Device::bottom();
    case DefaultArgument::Kind::kLibraryModule: return unit_.default_place;
  }
  return Device::unknown();
}

/// What decides about the callee's devices is the same in every run, so that one of those that it
/// may choose is the only one.
bool Interpreter::leaves_no_choice(const Call& call) {
  if (settled_) return *settled_;
  settled_ = false;
  if (call.given.empty()) return false;
  for (const std::uint32_t parameter : surroundings_.summary_of(call.callee).deciding) {
    const GivenArgument& given =
        parameter < call.given.size() ? call.given[parameter] : call.given.back();
    if (given.settled) settled_ = true;
    deciding_.insert(given.rests_on.begin(), given.rests_on.end());
  }
  return *settled_;
}

Device Interpreter::substitute(const Call& call, const Where& where, State& state) {
  switch (where.kind) {
    case Where::Kind::kUnknown: return Device::unknown();
    case Where::Kind::kDevice: return where.device;
    case Where::Kind::kOfParameter: {
      if (where.path.empty() && argument(call, where.parameter) == nullptr)
        return by_default(call.callee, where.parameter);
      const Value held = argument_value(call, where, state);
      return held.kind == ValueKind::kObject ? state.device_of(held.object) : Device::unknown();
    }
    case Where::Kind::kParameter: {
      if (where.path.empty() && argument(call, where.parameter) == nullptr)
        return by_default(call.callee, where.parameter);
      const Value held = argument_value(call, where, state);
      return held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions
                 ? held.device
                 : Device::unknown();
    }
    case Where::Kind::kReturned: return returned(call, where);
    case Where::Kind::kChoice: {
      if (leaves_no_choice(call)) return Device::unknown();
      const auto [known, first] = choices_.try_emplace(where.choice);
      if (!first) return known->second;
      const Device device = known->second = opaque(state, kFirstChoice + where.choice);
      symbols_[device.symbol].may_cpu |= where.may_cpu;
      symbols_[device.symbol].may_cuda |= where.may_cuda;
      symbols_[device.symbol].chosen = call.spot;
      return device;
    }
  }
  return Device::unknown();
}

/// The places that a need speaks of, as they are at a call: a list or a tuple is each of its parts.
std::vector<OperandView> Interpreter::needed(const Call& call, const Where& where, State& state) {
  std::vector<OperandView> views;
  if (!where.of_caller() || where.kind == Where::Kind::kParameter) {
    OperandView fixed;
    fixed.operand = where.of_caller() ? argument(call, where.parameter) : nullptr;
    fixed.spot = fixed.operand == nullptr ? 0 : fixed.operand->spot;
    fixed.path = where.path;
    fixed.object.device = substitute(call, where, state);
    fixed.object.rank = Rank::kNonZero;
    views.push_back(std::move(fixed));
    return views;
  }
  const Operand* operand = argument(call, where.parameter);
  const Value held = argument_value(call, where, state);
  if (operand == nullptr || held.kind != ValueKind::kObject) return views;
  OperandView whole = view(*operand, held.object, operand->spot, state);
  whole.path = where.path;
  if (whole.object.kind == ObjectKind::kTuple || whole.object.kind == ObjectKind::kList)
    views = parts_of(*operand, held.object, state);
  if (views.empty()) views.push_back(std::move(whole));
  return views;
}

Value Interpreter::outcome(const Call& call, const Outcome& outcome, Role role, std::uint32_t sub,
                           State& state) {
  if (!outcome.known) return fresh(role, state, sub);
  if (outcome.same_object && outcome.path.empty()) {
    const Operand* operand = argument(call, outcome.parameter);
    return operand == nullptr ? fresh(role, state, sub) : value(operand->value, state);
  }
  const Device device = substitute(call, outcome.where, state);
  if (role == Role::kDevice) return Value::of(device);
  if (role == Role::kOptions) return Value::options(device, true);
  if (role != Role::kTensor && role != Role::kModule && role != Role::kMemory) {
    // All parts are there.
    const Value whole = fresh(role, state, sub);
    Object* object = state.objects.find(whole.object);
    if (object != nullptr && device.kind != DeviceKind::kUnknown) {
      object->device = device;
      object->rank = outcome.rank;
      object->placed = Placed::kComputed;
      object->where = call.spot;
    }
    return whole;
  }
  Object made;
  made.kind = role == Role::kModule   ? ObjectKind::kModule
              : role == Role::kMemory ? ObjectKind::kMemory
                                      : ObjectKind::kTensor;
  made.device = device;
  made.memory = outcome.memory;
  made.rank = outcome.rank;
  made.strict = outcome.strict;
  made.placed = outcome.placed == Placed::kUnknown || outcome.placed == Placed::kGiven
                    ? Placed::kComputed
                    : outcome.placed;
  made.where = call.spot;
  if (outcome.may_alias) {
    made.escaped = true;
    for (const Operand& operand : call.arguments)
      if (const Object* object = state.objects.find(object_of(operand, state)))
        if (object->kind == ObjectKind::kTensor && made.alias == 0) made.alias = object->alias;
  }
  return Value::of(make(state, sub, made));
}

/// Others may have changed what they were given, and with an element the list that it is in.
void Interpreter::lose_operand(const Operand& operand, State& state) {
  lose(object_of(operand, state), state);
  if (operand.whole != 0) lose(load(operand.whole, state).object, state);
}

/// A callee gave a reference parameter another value.
void Interpreter::assign(const Operand& operand, Value value, State& state) {
  if (operand.place == 0) {
    if (value.object == 0 || value.object != object_of(operand, state))
      lose_operand(operand, state);
    return;
  }
  const Place& where = facts_.places[operand.place];
  if (where.fields.empty()) {
    if (facts_.variables[where.root].tracked) state.variables[where.root] = value;
    return;
  }
  Value base = variable_value(where.root, state);
  for (std::size_t index = 0; index + 1 < where.fields.size(); ++index)
    base = field_value(base.object, where.fields[index], state);
  if (base.object != 0) state.fields[{base.object, where.fields.back()}] = value;
}

/// An object whose constructor says what it leaves in its fields.
Value Interpreter::constructed(const Call& call, const Summary& summary, State& state) {
  const Value made = fresh(call.result, state, 0);
  if (made.kind == ValueKind::kObject) hold_fields(call, summary, made.object, state);
  return made;
}

void Interpreter::hold_fields(const Call& call, const Summary& summary, ObjectId id, State& state) {
  const Function& constructor = unit_[call.callee];
  if (!constructor.constructor) return;
  for (const FieldHeld& held : summary.fields) {
    const std::optional<FieldId> field = field_named(unit_, constructor.owner, held.field);
    if (!field || hold_given(call, held, id, *field, state)) continue;
    // The field as it is found, and then where the constructor put it.
    put_in_field(call, held, substitute(call, held.where, state), id, *field, state);
  }
}

void Interpreter::put_in_field(const Call& call, const FieldHeld& held, Device device, ObjectId id,
                               FieldId field, State& state) {
  if (device.kind == DeviceKind::kUnknown) return;
  Value value = field_value(id, field, state);
  if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
    value.device = device;
    state.fields[{id, field}] = value;
  } else if (Object* part = state.objects.find(value.object)) {
    part->device = device;
    part->rank = held.rank;
    part->placed = held.placed;
    part->where = call.spot;
  }
}

/// The method's object may hold something else in any field, but where the method says what it
/// leaves there.
void Interpreter::change_fields(const Call& call, const Summary& summary, ObjectId self,
                                State& state) {
  std::vector<std::tuple<const FieldHeld*, FieldId, Device>> left;
  for (const FieldHeld& held : summary.fields) {
    if (held.given) continue;
    if (const auto field = field_named(unit_, unit_[call.callee].owner, held.field))
      left.emplace_back(&held, *field, substitute(call, held.where, state));
  }
  write(self, state);
  state.fields.erase_if([&](const auto& entry) { return entry.first.first == self; });
  if (observer_ != nullptr) observer_->field_stored(self);
  for (const auto& [held, field, device] : left)
    put_in_field(call, *held, device, self, field, state);
}

Value Interpreter::apply_summary(const Call& call, const Summary& summary, State& state) {
  // It may change what sizes and offsets are made of.
  std::erase_if(state.copies,
                [&](const Copy& copy) { return facts_.calls[copy.call].extent.outside; });
  if (observer_ != nullptr) {
    for (const Need& need : summary.needs)
      for (const OperandView& first : needed(call, need.first, state))
        for (const OperandView& second : needed(call, need.second, state)) {
          NeedEvent event{};
          event.fact = fact_;
          event.block = block_;
          event.call = &call;
          event.need = &need;
          event.first = first;
          event.second = second;
          observer_->need(event);
        }
    if (summary.unknown_calls) observer_->unknown_call();
    for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
      const Role role = call.arguments[index].role;
      const Device device = state.device_of(object_of(call.arguments[index], state));
      if ((role == Role::kTensor || role == Role::kList) && symbols_.may_be_cuda(device))
        observer_->given({block_, &call, index, device});
    }
  }
  // Results are in terms of the arguments as they were.
  std::vector<std::pair<const Operand*, Value>> stores;
  std::vector<std::pair<ObjectId, Device>> moves;
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    if (index < summary.references.size() && operand.pass == Pass::kMutable &&
        (operand.role == Role::kTensor || operand.role == Role::kDevice ||
         operand.role == Role::kOptions || operand.address))
      stores.emplace_back(&operand,
                          outcome(call, summary.references[index], operand.role, 2 + index, state));
    if (index < summary.modules.size() && operand.role == Role::kModule) {
      const Where& where = summary.modules[index];
      if (!(where.kind == Where::Kind::kOfParameter && where.parameter == index))
        moves.emplace_back(object_of(operand, state), substitute(call, where, state));
    }
  }
  const bool stays = summary.self_empty || (summary.self.kind == Where::Kind::kOfParameter &&
                                            summary.self.parameter == kThisParameter);
  if (call.has_receiver && call.receiver.role == Role::kModule &&
      !(stays && summary.parts.empty())) {
    const ObjectId self = object_of(call.receiver, state);
    const Device before = state.device_of(self);
    const Device after = self_after(call, summary, before, state);
    if (!stays || !(after == before)) moves.emplace_back(self, after);
  }
  const Value result = call.form == CallForm::kConstruct ? constructed(call, summary, state)
                       : call.result.role == Role::kNone
                           ? Value{}
                           : outcome(call, summary.result, call.result.role, 0, state);

  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    const ObjectId id = object_of(operand, state);
    if (id == 0) continue;
    if (index < summary.written.size() && summary.written[index]) write(id, state);
    const bool compound = operand.role == Role::kList || operand.role == Role::kRecord ||
                          operand.role == Role::kTuple;
    if (compound && operand.pass == Pass::kMutable) lose_operand(operand, state);
    if (compound) share_parts(id, state);
    if (index < summary.escapes.size() && summary.escapes[index]) {
      state.escape(id);
      if (observer_ != nullptr) observer_->escaped(id, block_);
      if (!kept_as_given(summary, index)) share(id, state);
    }
  }
  if (call.has_receiver) share_changed(call, summary, object_of(call.receiver, state), state);
  for (const auto& [id, device] : moves) set_device(id, device, Placed::kMoved, call.spot, state);
  for (const auto& [operand, stored] : stores) assign(*operand, stored, state);
  if (summary.self_changed && call.has_receiver) {
    const ObjectId self = object_of(call.receiver, state);
    if (self != 0) change_fields(call, summary, self, state);
  }
  if (summary.unknown_calls) forget_globals(state);
  if (summary.writes_outside || summary.self_changed) outside_written(state);
  return handed_out(call, summary.result, result, state);
}

}  // namespace xfer::analyzer
