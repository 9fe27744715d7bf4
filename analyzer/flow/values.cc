// What variables, fields and globals hold: at the start, when they are read, when they are stored
// to.

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {
namespace {

ObjectKind kind_of(Role role) {
  switch (role) {
    case Role::kTensor: return ObjectKind::kTensor;
    case Role::kModule: return ObjectKind::kModule;
    case Role::kList: return ObjectKind::kList;
    case Role::kTuple: return ObjectKind::kTuple;
    case Role::kMemory: return ObjectKind::kMemory;
    default: return ObjectKind::kRecord;
  }
}

}  // namespace

State Interpreter::entry_state() {
  State state;
  state.reachable = true;
  const auto give = [&](VariableId variable, std::uint32_t number, Origin origin) {
    const Variable& declared = facts_.variables[variable];
    if (declared.type.role == Role::kNone) return;
    const SymbolId symbol = symbols_.intern(origin, number, 0, 0);
    symbols_[symbol].parameter = number;
    symbols_[symbol].name = declared.name;
    const Device device = Device::of(symbol);
    if (declared.type.role == Role::kDevice || declared.type.role == Role::kOptions) {
      symbols_[symbol].of_device = true;
      // Who asks for a device is given CUDA in some run; options are mostly asked for an element
      // type.
      symbols_[symbol].may_cuda = declared.type.role == Role::kDevice;
      state.variables[variable] =
          declared.type.role == Role::kDevice ? Value::of(device) : Value::options(device, true);
      return;
    }
    symbols_[symbol].may_cuda = origin == Origin::kParameter && on_cuda_.count(number) != 0;
    const ObjectId id = origins_.intern(origin, number, 0, 0, kNoBlock);
    Object object;
    object.device = device;
    object.alias = object.version = id;
    object.placed = Placed::kGiven;
    object.kind = kind_of(declared.type.role);
    const bool made_here = origin == Origin::kThis && facts_.is_constructor;
    if (object.kind == ObjectKind::kModule)
      object.strict = !made_here                              ? class_strict(declared.type.record)
                      : unit_[declared.type.record].container ? Strict::kNo
                                                              : Strict::kUnknown;
    if (object.kind == ObjectKind::kRecord) object.device = Device::unknown();
    if (made_here) object.device = Device::bottom();
    if (declared.type.role == Role::kMemory && !declared.type.handle) {  // a vector
      object.device = Device::cpu();
      object.memory = Memory::kPageable;
    }
    state.objects[id] = object;
    state.variables[variable] = Value::of(id);
    const VariableId hidden =
        origin == Origin::kThis ? kFirstHiddenVariable : kFirstHiddenVariable + 1 + number;
    state.variables[hidden] = Value::of(id);
  };
  give(kThisVariable, kThisParameter, Origin::kThis);
  // A device that only some path changes is what it was on the others.
  for (const Place& place : facts_.places)
    if (place.root == kThisVariable && place.fields.size() == 1 && !facts_.is_constructor &&
        unit_.fields[place.fields.front()].type.role == Role::kDevice)
      field_value(state.variables[kThisVariable].object, place.fields.front(), state);
  for (std::uint32_t number = 0; number < facts_.parameters.size(); ++number)
    give(facts_.parameters[number], number, Origin::kParameter);
  return state;
}

Value Interpreter::variable_value(VariableId id, State& state) {
  const Variable& declared = facts_.variables[id];
  if (!declared.tracked) {
    if (observer_ != nullptr)
      observer_->unknown("`" + declared.name + "` is changed where the flow does not see it");
    return fresh(declared.type, state, 7);
  }
  if (const Value* found = state.variables.find(id)) return *found;
  Value made;
  const SymbolId symbol = symbols_.intern(Origin::kVariable, id, 0, 0);
  symbols_[symbol].name = declared.name;
  symbols_[symbol].of_device = declared.type.role == Role::kDevice;
  if (declared.type.role == Role::kDevice) {
    symbols_[symbol].may_cuda = declared.may_be_cuda;
    made = Value::of(Device::of(symbol));
  } else if (declared.type.role == Role::kOptions) {
    made = Value::options(Device::of(symbol), true);
  } else {
    const ObjectId object_id = origins_.intern(Origin::kVariable, id, 0, 0, kNoBlock);
    Object object;
    object.alias = object.version = object_id;
    object.kind = kind_of(declared.type.role);
    if (object.kind == ObjectKind::kTensor || object.kind == ObjectKind::kModule)
      object.device = Device::of(symbol);
    if (object.kind == ObjectKind::kModule) object.strict = class_strict(declared.type.record);
    if (state.objects.find(object_id) == nullptr) state.objects[object_id] = object;
    made = Value::of(object_id);
  }
  state.variables[id] = made;
  return made;
}

/// What some object of its class has says something of an object that may be any of them, not of
/// one that was made here: that has what it was given.
bool Interpreter::from_outside(ObjectId id) const {
  while (origins_[id].origin == Origin::kField) id = origins_[id].a;
  const Origin origin = origins_[id].origin;
  return origin == Origin::kThis || origin == Origin::kParameter || origin == Origin::kVariable;
}

/// Where a field that nobody changes is: as its constructors say, or where another field of the
/// object is.
Device Interpreter::settled_device(ObjectId base, const SettledField& settled, SymbolId own,
                                   State& state) {
  if (settled.device) return *settled.device;
  if (settled.as == settled.field) {
    symbols_[own].may_cuda |= settled.may_cuda && from_outside(base);
    return Device::of(own);
  }
  const Value other = field_value(base, settled.as, state);
  return other.kind == ValueKind::kObject ? state.device_of(other.object) : other.device;
}

Value Interpreter::field_value(ObjectId base, FieldId field, State& state) {
  if (base == 0) return {};
  if (const Value* found = state.fields.find({base, field})) return *found;
  const Field& declared = unit_.fields[field];
  const Object* owner = state.objects.find(base);
  // The members of a pair are the parts of a tuple of two.
  if (owner != nullptr && owner->kind == ObjectKind::kTuple)
    if (const Value* part =
            state.fields.find({base, kFirstElement + (declared.name == "second" ? 1U : 0U)});
        part != nullptr && (declared.name == "first" || declared.name == "second"))
      return *part;
  const Role role = declared.type.role;
  const bool made_here = origins_[base].origin == Origin::kThis && facts_.is_constructor;
  const SettledField* settled = made_here ? nullptr : surroundings_.settled(field);
  // A field that nobody changes is the same however often its object was written to.
  const bool fixed = settled != nullptr && !settled->changes;
  const VersionId version = fixed ? base : owner == nullptr ? 0 : owner->version;
  const BlockId block = origins_[version].block;
  const SymbolId symbol = symbols_.intern(Origin::kField, base, field, version);
  if (role == Role::kDevice) symbols_[symbol].name = declared.name;
  symbols_[symbol].block = block;
  symbols_[symbol].base = base;
  symbols_[symbol].field = field;
  symbols_[symbol].initial = version == base;
  symbols_[symbol].of_device = role == Role::kDevice;
  if (role == Role::kDevice) symbols_[symbol].may_cuda = from_outside(base) && declared.may_be_cuda;
  const Device device =
      settled != nullptr ? settled_device(base, *settled, symbol, state) : Device::of(symbol);
  Value made;
  if (role == Role::kDevice) {
    made = Value::of(device);
  } else if (role == Role::kOptions) {
    made = Value::options(device, true);
  } else {
    const ObjectId id = origins_.intern(Origin::kField, base, field, version, block);
    Object object;
    object.alias = object.version = id;
    object.device = device;
    if (settled != nullptr) object.rank = settled->rank;
    object.kind = kind_of(role);
    if (role == Role::kModule) object.strict = class_strict(declared.type.record);
    if (role == Role::kModule && object.strict == Strict::kUnknown && !made_here &&
        unit_[declared.type.record].container)
      object.strict = surroundings_.strict(field);
    owner = state.objects.find(base);
    if (declared.registered && owner != nullptr && owner->kind == ObjectKind::kModule)
      object.parent = base;
    // A record or a pair that is on a device has all its parts there.
    if (owner != nullptr &&
        (owner->kind == ObjectKind::kRecord || owner->kind == ObjectKind::kTuple) &&
        (owner->device.is_known() || owner->device.is_symbol()) && role != Role::kModule) {
      object.device = owner->device;
      object.placed = owner->placed;
      object.where = owner->where;
    }
    if (state.objects.find(id) == nullptr) state.objects[id] = object;
    made = Value::of(id);
  }
  state.fields[{base, field}] = made;
  return made;
}

Value Interpreter::load(PlaceId place, State& state) {
  const Place& where = facts_.places[place];
  if (facts_.variables[where.root].pointer) {
    const Value* pointer = state.variables.find(kFirstPointer + where.root);
    return pointer == nullptr ? Value{} : *pointer;
  }
  Value value = variable_value(where.root, state);
  for (const FieldId field : where.fields) {
    value = value.kind == ValueKind::kObject ? field_value(value.object, field, state) : Value{};
    const ValueType& type = unit_.fields[field].type;
    const Variable& root = facts_.variables[where.root];
    const bool shared = type.role == Role::kTensor || type.role == Role::kModule ||
                        type.role == Role::kList || type.role == Role::kTuple ||
                        type.role == Role::kMemory;
    if (root.global && !root.constant && shared) {
      if (observer_ != nullptr) observer_->unknown("a global variable");
      return fresh(type, state, 7);
    }
  }
  return value;
}

/// Somebody else may have changed what global variables hold.
void Interpreter::forget_globals(State& state) {
  std::vector<VariableId> gone;
  for (const auto& [id, held] : state.variables)
    if (id < facts_.variables.size() && facts_.variables[id].global &&
        !facts_.variables[id].constant)
      gone.push_back(id);
  for (const VariableId id : gone) {
    const ObjectId object = state.variables.find(id)->object;
    if (object != 0) {
      write(object, state);
      share_whole(object, state);
      state.fields.erase_if([&](const auto& entry) { return entry.first.first == object; });
    }
    state.variables.erase(id);
  }
}

/// Stored where the flow does not follow it.
void Interpreter::keep_elsewhere(ObjectId id, Role role, State& state) {
  state.escape(id);
  share_whole(id, state);
  if (role == Role::kMemory && observer_ != nullptr) observer_->escaped(id, block_);
}

Value Interpreter::apply(const fact::Store& fact, State& state) {
  const Place& where = facts_.places[fact.place];
  Value stored = value(fact.from, state);
  if (facts_.variables[where.root].pointer) {
    state.variables[kFirstPointer + where.root] = stored;
    return {};
  }
  if (stored.kind == ValueKind::kNone) {
    const ValueType& type = where.fields.empty() ? facts_.variables[where.root].type
                                                 : unit_.fields[where.fields.back()].type;
    stored = fresh(ValueType{fact.role, false, type.record}, state, 6);
  }
  if (observer_ != nullptr && facts_.variables[where.root].global &&
      !facts_.variables[where.root].constant)
    observer_->unknown_call();
  const std::string& name = where.fields.empty() ? facts_.variables[where.root].name
                                                 : unit_.fields[where.fields.back()].name;
  for (Copy& copy : state.copies) copy.stored |= stored.object != 0 && copy.result == stored.object;
  if (stored.device.is_symbol() && stored.kind != ValueKind::kObject) {
    Symbol& symbol = symbols_[stored.device.symbol];
    if (symbol.name.empty()) symbol.name = name;
    if (symbol.chosen == 0) symbol.chosen = running_->spot;
  }
  if (where.fields.empty()) {
    if (facts_.variables[where.root].global && held_here(stored.object, state))
      share(stored.object, state);
    if (facts_.variables[where.root].tracked)
      state.variables[where.root] = stored;
    else if (stored.object != 0)
      keep_elsewhere(stored.object, fact.role, state);
    return {};
  }
  if (!facts_.variables[where.root].tracked && fact.role == Role::kMemory)
    keep_elsewhere(stored.object, fact.role, state);
  Value base = variable_value(where.root, state);
  for (std::size_t index = 0; index + 1 < where.fields.size(); ++index)
    base = field_value(base.object, where.fields[index], state);
  if (base.kind != ValueKind::kObject) return {};
  state.fields[{base.object, where.fields.back()}] = stored;
  // A parameter of a library's module, which is where its parameters are.
  const Field& field = unit_.fields[where.fields.back()];
  const Object* whole = state.objects.find(base.object);
  if (whole != nullptr && whole->kind == ObjectKind::kModule && field.library)
    part_moved(base.object, state.device_of(stored.object), state);
  if (observer_ != nullptr) {
    observer_->field_stored(base.object);
    if (const Object* given = state.objects.find(stored.object))
      observer_->field_given(
          {fact.place, running_->spot, *given, origins_[stored.object].block == kNoBlock});
  }
  return {};
}

}  // namespace xfer::analyzer
