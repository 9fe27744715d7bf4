#include "analyzer/flow/substitution.h"

#include "analyzer/flow/functions.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

/// A callee's choice is one device in all that it hands back: `sub` numbers of choices, from here.
constexpr std::uint32_t kFirstChoice = 0x1000;

/// The class of what a callee gets as `parameter`.
ClassId class_of(const Unit& unit, FunctionId callee, std::uint32_t parameter) {
  const Function& function = unit[callee];
  if (parameter == kThisParameter) return function.object;
  return parameter < function.parameters.size() ? function.parameters[parameter].object : ClassId();
}

}  // namespace

std::optional<FieldId> field_named(const Unit& unit, ClassId record, std::string_view name) {
  for (const FieldId field : unit[record].fields)
    if (unit.fields[field].name == name) return field;
  for (const ClassId base : unit[record].bases)
    if (const std::optional<FieldId> field = field_named(unit, base, name)) return field;
  return std::nullopt;
}

Value Substitution::given(std::uint32_t parameter, std::string_view path) {
  const Operand* operand = argument(call_, parameter);
  Value held = operand == nullptr ? Value{} : step_.value(operand->value);
  ClassId record = class_of(step_.unit, call_.callee, parameter);
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    const std::optional<FieldId> field = field_named(step_.unit, record, rest.substr(0, dot));
    if (!field || held.kind != ValueKind::kObject) return {};
    held = field_value(step_, held.object, *field);
    record = step_.unit.fields[*field].object;
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  return held;
}

/// The device that a parameter is by default, or where the module is.
Device Substitution::by_default(std::uint32_t parameter) const {
  if (parameter >= step_.unit[call_.callee].declared) return Device::unknown();
  const DefaultArgument& given = step_.unit[call_.callee].parameters[parameter].by_default;
  switch (given.kind) {
    case DefaultArgument::Kind::kUnknown: break;
    case DefaultArgument::Kind::kDevice: return given.device;
    case DefaultArgument::Kind::kNoModule: return Device::bottom();
    case DefaultArgument::Kind::kLibraryModule: return step_.unit.default_place;
  }
  return Device::unknown();
}

bool Substitution::leaves_no_choice() {
  if (settled_) return *settled_;
  settled_ = false;
  if (call_.given.empty()) return false;
  for (const auto& [parameter, leaves] :
       step_.surroundings.summary_of(call_.callee).deciding.parameters) {
    const GivenValue& given =
        parameter < call_.given.size() ? call_.given[parameter] : call_.given.back();
    if (given.settled && !given.leaves_open(leaves)) settled_ = true;
    step_.tables.deciding.add(given.as_is ? given.rests_on.leaving(leaves) : given.rests_on);
  }
  return *settled_;
}

Device Substitution::of_parameter(const DeviceTerm& term) {
  if (term.path.empty() && argument(call_, term.parameter) == nullptr)
    return by_default(term.parameter);
  const Value held = given(term.parameter, term.path);
  return held.kind == ValueKind::kObject ? step_.device_of(held.object) : Device::unknown();
}

/// A value at an unknown place is where the callee needs it to be, or the call has failed.
Device Substitution::needed_with(const DeviceTerm& term) {
  if (!call_.callee) return Device::unknown();
  for (const Need& need : step_.surroundings.summary_of(call_.callee).needs) {
    if (need.zero_dim_cpu || (need.first != term && need.second != term)) continue;
    const DeviceTerm& other = need.first == term ? need.second : need.first;
    if (other.kind != DeviceTerm::Kind::kOfParameter) continue;
    const Device at = of_parameter(other);
    if (at.kind != DeviceKind::kUnknown && at.kind != DeviceKind::kBottom) return at;
  }
  return Device::unknown();
}

Device Substitution::substitute(const DeviceTerm& term) {
  switch (term.kind) {
    case DeviceTerm::Kind::kUnknown: return Device::unknown();
    case DeviceTerm::Kind::kDevice: return step_.state.now(term.device);
    case DeviceTerm::Kind::kOfParameter: {
      const Device at = of_parameter(term);
      return at.kind == DeviceKind::kUnknown ? needed_with(term) : at;
    }
    case DeviceTerm::Kind::kParameter: {
      if (term.path.empty() && argument(call_, term.parameter) == nullptr)
        return by_default(term.parameter);
      const Value held = given(term.parameter, term.path);
      return held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions
                 ? held.device
                 : Device::unknown();
    }
    case DeviceTerm::Kind::kReturned: return returned(step_, call_, term);
    case DeviceTerm::Kind::kChoice: {
      if (leaves_no_choice()) return Device::unknown();
      const auto [known, first] = choices_.try_emplace(term.choice);
      if (!first) return known->second;
      const Device device = known->second = step_.opaque(kFirstChoice + term.choice);
      step_.symbols[device.symbol].may_cpu |= term.may_cpu;
      step_.symbols[device.symbol].may_cuda |= term.may_cuda;
      if (!term.found) step_.symbols[device.symbol].chosen = call_.spot;
      return device;
    }
  }
  return Device::unknown();
}

std::vector<OperandView> Substitution::needed(const DeviceTerm& term) {
  std::vector<OperandView> views;
  if (!term.of_caller() || term.kind == DeviceTerm::Kind::kParameter) {
    OperandView fixed;
    fixed.operand = term.of_caller() ? argument(call_, term.parameter) : nullptr;
    fixed.spot = fixed.operand == nullptr ? SpotId() : fixed.operand->spot;
    fixed.path = term.path;
    fixed.object.device = substitute(term);
    fixed.object.rank = Rank::kNonZero;
    views.push_back(std::move(fixed));
    return views;
  }
  const Operand* operand = argument(call_, term.parameter);
  const Value held = given(term.parameter, term.path);
  if (operand == nullptr || held.kind != ValueKind::kObject) return views;
  OperandView whole = step_.view(*operand, held.object, operand->spot);
  whole.path = term.path;
  if (whole.object.kind == ObjectKind::kTuple || whole.object.kind == ObjectKind::kList)
    views = step_.parts_of(*operand, held.object);
  if (views.empty()) views.push_back(std::move(whole));
  return views;
}

/// The rank of the tensor that the call gives there.
Rank Substitution::rank_given(const DeviceTerm& term) {
  const Object* tensor = step_.find(given(term.parameter, term.path).object);
  return tensor == nullptr || tensor->kind != ObjectKind::kTensor ? Rank::kUnknown : tensor->rank;
}

Value Substitution::outcome(const Outcome& outcome, Role role, std::uint32_t sub) {
  if (!outcome.known) return step_.fresh(role, sub);
  if (outcome.same_object && outcome.path.empty()) {
    const Operand* operand = argument(call_, outcome.parameter);
    return operand == nullptr ? step_.fresh(role, sub) : step_.value(operand->value);
  }
  if (outcome.same_object && role == Role::kMemory) {
    const Value held = given(outcome.parameter, outcome.path);
    const Object* memory = step_.find(held.object);
    if (memory != nullptr && memory->kind == ObjectKind::kMemory) return held;
  }
  const Device device = substitute(outcome.device);
  if (role == Role::kDevice) return Value::of(device);
  if (role == Role::kOptions) return Value::options(device, true);
  if (role != Role::kTensor && role != Role::kModule && role != Role::kMemory) {
    // All parts are there.
    const Value whole = step_.fresh(role, sub);
    Object* object = step_.find(whole.object);
    if (object != nullptr && device.kind != DeviceKind::kUnknown) {
      object->device = device;
      object->rank = without_holder(outcome.rank);
      object->placed = Placed::kComputed;
      object->escaped |= outcome.may_alias;
      object->placed_at = call_.spot;
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
  if (made.rank == Rank::kHeld) made.rank = rank_given(outcome.device);
  made.strict = outcome.strict;
  made.placed = outcome.placed == Placed::kUnknown || outcome.placed == Placed::kGiven
                    ? Placed::kComputed
                    : outcome.placed;
  made.placed_at = call_.spot;
  if (outcome.may_alias) {
    made.escaped = true;
    for (const Operand& operand : call_.arguments)
      if (const Object* object = step_.find(step_.object_of(operand)))
        if (object->kind == ObjectKind::kTensor && !made.alias) made.alias = object->alias;
  }
  return Value::of(step_.make(sub, made));
}

Device Substitution::self_after(const Summary& summary, Device before) {
  Device after = summary.self_empty ? before : substitute(summary.self);
  for (const DeviceTerm& part : summary.parts) after = join(after, substitute(part));
  return after;
}

}  // namespace xfer::analyzer
