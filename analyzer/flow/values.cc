#include "analyzer/flow/values.h"

#include "analyzer/flow/handed.h"
#include "analyzer/flow/let_go.h"
#include "analyzer/flow/lists.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/strictness.h"

namespace xfer::analyzer {
namespace {

/// `sub` numbers of the globals that one fact loads: this plus the variable's number.
constexpr std::uint32_t kFirstGlobal = 0x1000;

/// The memory of a global array, which is the same for ever.
Value global_array(Step& step, VariableId id) {
  Object object;
  object.kind = ObjectKind::kMemory;
  place_elements(object, Elements::kOnHost);
  return Value::of(step.find_named(id, 0, object));
}

/// A global as the program has it.
Value global_value(Step& step, VariableId id) {
  const Variable& declared = step.facts.variables[id];
  if (declared.is_global_array()) return global_array(step, id);
  const std::uint32_t sub = kFirstGlobal + id.number();
  Object object;
  object.kind = kind_of(declared.type.role);
  object.device = step.told(sub, Holder::field(declared.field));
  object.rank = Rank::kHeld;
  if (object.kind == ObjectKind::kModule)
    object.strict = class_strict(step.unit, step.surroundings, declared.type.record);
  step.symbols[object.device.symbol].name = declared.name;
  return Value::of(step.find_global(sub, object));
}

Value variable_value(Step& step, VariableId id) {
  const Variable& declared = step.facts.variables[id];
  if (!declared.tracked) {
    step.events.unknown("`" + declared.name + "` is changed where the analysis does not see it");
    return step.fresh(declared.type, 7);
  }
  if (const Value* found = step.state.variables.find(id)) return *found;
  if (declared.field != FieldId()) return step.state.variables[id] = global_value(step, id);
  Value made;
  const SymbolId symbol = step.symbols.intern(Origin::kVariable, id, 0, 0);
  step.symbols[symbol].name = declared.name;
  step.symbols[symbol].of_device = declared.type.role == Role::kDevice;
  if (declared.type.role == Role::kDevice) {
    step.symbols[symbol].may_cuda = declared.may_be_cuda;
    made = Value::of(Device::of(symbol));
  } else if (declared.type.role == Role::kOptions) {
    made = Value::options(Device::of(symbol), true);
  } else {
    Object object;
    object.kind = kind_of(declared.type.role);
    if (object.kind == ObjectKind::kTensor || object.kind == ObjectKind::kModule)
      object.device = Device::of(symbol);
    if (object.kind == ObjectKind::kModule)
      object.strict = class_strict(step.unit, step.surroundings, declared.type.record);
    made = Value::of(step.find_named(id, 0, object));
  }
  step.state.variables[id] = made;
  return made;
}

/// The object that has the last field of a place.
Value holder_of(Step& step, const Place& place) {
  Value base = variable_value(step, place.root);
  for (std::size_t index = 0; index + 1 < place.fields.size(); ++index)
    base = field_value(step, base.object, place.fields[index]);
  return base;
}

/// The object may be any object of its class, so that facts about some object of the class apply to
/// it. One that was made here has what it was given.
bool of_any_object(const Step& step, ObjectId id) {
  while (step.origins[id].origin == Origin::kField) id = step.origins[id].whole();
  const Origin origin = step.origins[id].origin;
  return origin == Origin::kThis || origin == Origin::kParameter || origin == Origin::kVariable ||
         origin == Origin::kGlobal;
}

/// Where a field that nobody changes is: as its constructors say, or where another field of the
/// object is.
Device settled_device(Step& step, ObjectId base, const SettledField& settled, SymbolId own) {
  if (settled.device) return *settled.device;
  if (settled.as == settled.field) {
    step.symbols[own].may_cuda |= settled.may_cuda && of_any_object(step, base);
    return Device::of(own);
  }
  const Value other = field_value(step, base, settled.as);
  return other.kind == ValueKind::kObject ? step.device_of(other.object) : other.device;
}

/// Stored where the flow does not follow it.
void keep_elsewhere(Step& step, ObjectId id, Role role) {
  step.state.escape(id);
  share_whole(step, id);
  if (role == Role::kMemory) step.events.escaped(id, step.block);
  escape_behind(step, id);
}

}  // namespace

Value field_value(Step& step, ObjectId base, FieldId field) {
  if (!base) return {};
  if (const Value* found = step.state.fields.find({base, field})) return *found;
  const Field& declared = step.unit.fields[field];
  const Object* owner = step.find(base);
  // The members of a pair are the parts of a tuple of two.
  if (owner != nullptr && owner->kind == ObjectKind::kTuple)
    if (const Value* part =
            declared.part ? step.state.fields.find({base, element_field(*declared.part)}) : nullptr)
      return *part;
  const Role role = declared.type.role;
  const bool made_here = step.origins[base].origin == Origin::kThis && step.facts.is_constructor;
  const SettledField* settled = made_here ? nullptr : step.surroundings.settled(field);
  // Of memory of the host the program knows also whether it is pinned.
  if (role == Role::kMemory && settled != nullptr && settled->device && settled->device->is_cpu())
    settled = nullptr;
  // A field that nobody changes is the same however often its object was written to.
  const bool fixed = settled != nullptr && !settled->changes;
  const VersionId version = fixed              ? first_version(base)
                            : owner == nullptr ? VersionId()
                                               : owner->version;
  const BlockId block = step.origins[version].block;
  const SymbolId symbol = step.symbols.of_field(base, field, version, block);
  if (role == Role::kDevice) step.symbols[symbol].name = declared.name;
  step.symbols[symbol].of_device = role == Role::kDevice;
  const bool any = of_any_object(step, base);
  step.symbols[symbol].of_one_object = !made_here && !any;
  if (role == Role::kDevice) step.symbols[symbol].may_cuda = any && declared.may_be_cuda;
  const Device device =
      settled != nullptr ? settled_device(step, base, *settled, symbol) : Device::of(symbol);
  Value made;
  if (role == Role::kDevice) {
    made = Value::of(device);
  } else if (role == Role::kOptions) {
    made = Value::options(device, true);
  } else {
    const ObjectId id = step.origins.intern(Origin::kField, base, field, version, block);
    Object object;
    object.alias = id;
    object.version = first_version(id);
    object.device = device;
    object.rank = settled != nullptr ? settled->rank : Rank::kHeld;
    object.kind = kind_of(role);
    // The fields of a record tell where they are themselves.
    if (object.kind == ObjectKind::kRecord && !step.unit[declared.type.record].library &&
        device == Device::of(symbol))
      object.device = Device::unknown();
    place_elements(object, declared.type.elements);
    if (role == Role::kModule)
      object.strict = class_strict(step.unit, step.surroundings, declared.type.record);
    if (role == Role::kModule && object.strict == Strict::kUnknown && !made_here &&
        step.unit[declared.type.record].container)
      object.strict = step.surroundings.strict(field);
    owner = step.find(base);
    if (declared.registered && owner != nullptr && owner->kind == ObjectKind::kModule)
      object.parent = base;
    // A record or a pair that is on a device has all its tensors there. Pointers to both sides lie
    // in one record.
    const bool tells =
        owner != nullptr && (owner->kind == ObjectKind::kTuple ||
                             (owner->kind == ObjectKind::kRecord && role != Role::kMemory));
    if (tells && (owner->device.is_known() || owner->device.is_symbol()) && role != Role::kModule) {
      object.device = owner->device;
      object.rank = owner->rank;
      object.placed = owner->placed;
      object.placed_at = owner->placed_at;
    }
    if (step.find(id) == nullptr) step.state.objects[id] = object;
    made = Value::of(id);
  }
  step.state.fields[{base, field}] = made;
  return made;
}

Value load(Step& step, PlaceId place) {
  const Place& path = step.facts.places[place];
  if (step.facts.variables[path.root].pointer) {
    const Value* pointer = step.state.variables.find(pointer_slot(path.root));
    return pointer == nullptr ? Value{} : *pointer;
  }
  Value value = variable_value(step, path.root);
  for (const FieldId field : path.fields) {
    value = value.kind == ValueKind::kObject ? field_value(step, value.object, field) : Value{};
    const ValueType& type = step.unit.fields[field].type;
    const Variable& root = step.facts.variables[path.root];
    const bool shared = type.role == Role::kTensor || type.role == Role::kModule ||
                        type.role == Role::kList || type.role == Role::kTuple ||
                        type.role == Role::kMemory;
    if (root.global && !root.constant && shared) {
      step.events.unknown("a global variable");
      return step.fresh(type, 7);
    }
  }
  return value;
}

void forget_globals(Step& step) {
  std::vector<VariableId> gone;
  for (const auto& [id, held] : step.state.variables)
    if (step.facts.variables.has(id) && step.facts.variables[id].global &&
        !step.facts.variables[id].constant)
      gone.push_back(id);
  for (const VariableId id : gone) {
    const ObjectId object = step.state.variables.find(id)->object;
    if (step.facts.variables[id].is_global_array()) {
      step.write(object);
      continue;
    }
    if (object && step.facts.variables[id].field != FieldId()) {
      step.write(object);  // other functions tell where they move it
    } else if (object) {
      step.write(object);
      share_whole(step, object);
      step.state.forget_fields(object);
    }
    step.state.variables.erase(id);
  }
  for (auto& [id, object] : step.state.objects)
    if (object.freed_outside) object.freed = {};
}

void lose_operand(Step& step, const Operand& operand, ToldBy told) {
  lose(step, step.object_of(operand), told);
  if (operand.whole) lose(step, load(step, operand.whole).object, told);
}

void assign(Step& step, const Operand& operand, Value value) {
  if (!operand.place && operand.address && operand.whole)
    return put_element(step, load(step, operand.whole).object, value.object, operand.key);
  if (!operand.place) {
    if (!value.object || value.object != step.object_of(operand)) lose_operand(step, operand);
    return;
  }
  const Place& path = step.facts.places[operand.place];
  if (path.fields.empty()) {
    if (step.facts.variables[path.root].tracked) step.state.variables[path.root] = value;
    hand_to_global(step, path.root, operand.spot, value);
    return;
  }
  const Value base = holder_of(step, path);
  if (!base.object) return;
  Value& held = step.state.fields[{base.object, path.fields.back()}];
  if (!(held == value)) step.events.field_stored(base.object, path.fields.back());
  held = value;
  hand(step, Holder::field(path.fields.back()), operand.spot, value);
}

Value apply(Step& step, const fact::Load& what) { return load(step, what.place); }

Value apply(Step& step, const fact::FieldOf& of) {
  return field_value(step, step.object(of.object), of.field);
}

Value apply(Step& step, const fact::Store& fact) {
  const Place& path = step.facts.places[fact.place];
  Value stored = step.value(fact.from);
  if (step.facts.variables[path.root].pointer) {
    step.state.variables[pointer_slot(path.root)] = stored;
    return {};
  }
  if (stored.kind == ValueKind::kNone) {
    const ValueType& type = path.fields.empty() ? step.facts.variables[path.root].type
                                                : step.unit.fields[path.fields.back()].type;
    stored = step.fresh(ValueType{fact.role, false, type.record}, 6);
  }
  if (step.facts.variables[path.root].global && !step.facts.variables[path.root].constant)
    step.events.unknown_call();
  const std::string& name = path.fields.empty() ? step.facts.variables[path.root].name
                                                : step.unit.fields[path.fields.back()].name;
  for (Copy& copy : step.state.copies) copy.stored |= stored.object && copy.result == stored.object;
  if (stored.device.is_symbol() && stored.kind != ValueKind::kObject) {
    Symbol& symbol = step.symbols[stored.device.symbol];
    if (symbol.name.empty()) symbol.name = name;
    if (!symbol.chosen) symbol.chosen = step.spot;
  }
  if (path.fields.empty()) {
    const bool global = step.facts.variables[path.root].global;
    if (global && held_here(step, stored.object)) share(step, stored.object);
    // By the global other functions may write to what this one has by another name.
    if (global && fact.role == Role::kMemory && step.state.holds(stored.object))
      step.escape(stored.object);
    hand_to_global(step, path.root, step.spot, stored);
    tell_if_let_go(step, path.root);
    if (step.facts.variables[path.root].tracked)
      step.state.variables[path.root] = stored;
    else if (stored.object)
      keep_elsewhere(step, stored.object, fact.role);
    return {};
  }
  if (!step.facts.variables[path.root].tracked && fact.role == Role::kMemory)
    keep_elsewhere(step, stored.object, fact.role);
  const Value base = holder_of(step, path);
  if (base.kind != ValueKind::kObject) return {};
  step.state.fields[{base.object, path.fields.back()}] = stored;
  hand(step, Holder::field(path.fields.back()), step.spot, stored);
  // A parameter of a library's module, which is where its parameters are.
  const Field& field = step.unit.fields[path.fields.back()];
  const Object* whole = step.find(base.object);
  if (whole != nullptr && whole->kind == ObjectKind::kModule && field.library)
    part_moved(step, base.object, step.device_of(stored.object));
  step.events.field_stored(base.object, path.fields.back());
  if (const Object* given = step.find(stored.object))
    step.events.field_given(
        {fact.place, step.spot, *given, step.origins[stored.object].block == kNoBlock});
  return {};
}

Value apply(Step& step, const fact::End& end) {
  if (step.facts.variables[end.variable].guards_current)
    if (const Value* before = step.state.variables.find(end.variable))
      step.state.current = before->device;
  tell_if_let_go(step, end.variable);
  step.state.variables.erase(end.variable);
  step.state.variables.erase(pointer_slot(end.variable));
  return {};
}

}  // namespace xfer::analyzer
