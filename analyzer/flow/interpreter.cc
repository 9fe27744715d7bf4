#include "analyzer/flow/interpreter.h"

#include <algorithm>

namespace xfer::analyzer {

Interpreter::Interpreter(const Unit& unit, const FunctionFacts& facts, OriginTable& origins,
                         SymbolTable& symbols, Surroundings& surroundings)
    : unit_(unit),
      facts_(facts),
      origins_(origins),
      symbols_(symbols),
      surroundings_(surroundings) {}

ObjectId Interpreter::make(State& state, std::uint32_t sub, Object object) {
  const ObjectId id = origins_.intern(Origin::kFact, fact_, sub, 0, block_);
  retire(id, state, 0);
  if (object.alias == 0) object.alias = id;
  if (object.version == 0) object.version = id;
  if (object.source != 0) object.copy_version = object.version;
  state.objects[id] = object;
  return id;
}

/// The fact makes the object again: what it made before, and the parts that this one had, are
/// older.
void Interpreter::retire(ObjectId id, State& state, unsigned depth) {
  if (state.objects.find(id) != nullptr && depth < 4) {
    std::vector<ObjectId> parts;
    for (const auto& [key, object] : state.objects)
      if (origins_[key].origin == Origin::kField && origins_[key].a == id) parts.push_back(key);
    for (const ObjectId part : parts) retire(part, state, depth + 1);
  }
  state.retire(id, origins_.intern(Origin::kOlder, id, 0, 0, block_));
}

Device Interpreter::opaque(State& state, std::uint32_t sub) {
  const SymbolId symbol = symbols_.intern(Origin::kFact, fact_, sub, 0);
  symbols_[symbol].block = block_;
  state.retire_symbol(symbol);
  return Device::of(symbol);
}

Value Interpreter::fresh(ValueType type, State& state, std::uint32_t sub) {
  Object object;
  switch (type.role) {
    case Role::kNone:
    case Role::kIndex:
    case Role::kScalarType: return {};
    case Role::kDevice: return Value::of(opaque(state, sub));
    case Role::kOptions: return Value::options(opaque(state, sub), true);
    case Role::kMemory:
      object.kind = ObjectKind::kMemory;
      object.escaped = true;  // whose it is is not known
      object.device = opaque(state, sub);
      break;
    case Role::kTensor: object.device = opaque(state, sub); break;
    case Role::kModule:
      object.kind = ObjectKind::kModule;
      object.strict = class_strict(type.record);
      break;
    case Role::kList: object.kind = ObjectKind::kList; break;
    case Role::kTuple: object.kind = ObjectKind::kTuple; break;
    case Role::kRecord: object.kind = ObjectKind::kRecord; break;
  }
  return Value::of(make(state, sub, object));
}

Value Interpreter::value(ValueId id, const State& state) const {
  const Value* found = id == 0 ? nullptr : state.temporaries.find(id);
  return found == nullptr ? Value{} : *found;
}

/// What a loader's dataset hands out is where all that makes it says.
Value Interpreter::apply(const fact::Batch& batch, State& state) {
  Device device = Device::cpu();
  for (const BatchMaker& maker : batch.makers) {
    const Outcome& made = surroundings_.summary_of(maker.function).result;
    if (maker.transform && made.known &&
        (made.same_object || made.where.kind == Where::Kind::kOfParameter))
      continue;
    const bool known = made.known && made.where.kind == Where::Kind::kDevice;
    if (!known || (maker.transform && !(made.where.device == device)))
      device = Device::unknown();
    else
      device = made.where.device;
    if (device.kind == DeviceKind::kUnknown) break;
  }
  if (device.kind == DeviceKind::kUnknown && observer_ != nullptr)
    observer_->unknown("a batch of a dataset that may be anywhere");
  const Value made = fresh(batch.type, state, 0);
  Object* object = state.objects.find(made.object);
  if (object == nullptr || device.kind == DeviceKind::kUnknown) return made;
  object->device = device;
  object->placed = Placed::kMade;
  object->where = running_->spot;
  return made;
}

void Interpreter::write(ObjectId id, State& state) {
  if (id == 0) return;
  const VersionId version = origins_.intern(Origin::kWrite, fact_, 0, 0, block_);
  const Object* object = state.objects.find(id);
  if (object == nullptr) return;
  const ObjectId alias = object->alias;
  if (object->version != version)
    state.retire(version, origins_.intern(Origin::kOlder, version, 0, 0, block_));
  if (observer_ != nullptr)
    for (const auto& [key, other] : state.objects)
      if (key == id || other.alias == alias) observer_->written(key, block_);
  state.write(id, version);
  // Two pointers that are given are taken to point to different memory; one from nowhere may point
  // anywhere.
  const Object* written = state.objects.find(id);
  const bool memory = written->kind == ObjectKind::kMemory;
  if (memory ? written->escaped : from_outside(id, state)) outside_written(state);
}

/// The object, or what it shares data with, was there before the function, or is a part of a
/// module: others may hold it too.
bool Interpreter::from_outside(ObjectId id, const State& state) const {
  const Object* object = state.objects.find(id);
  if (object == nullptr) return true;
  for (ObjectId root = object->alias; root != 0;) {
    const OriginTable::Entry& entry = origins_[root];
    if (entry.origin == Origin::kFact) return false;
    if (entry.origin != Origin::kField && entry.origin != Origin::kOlder) return true;
    const Object* holder = state.objects.find(entry.a);
    if (holder != nullptr && holder->kind == ObjectKind::kModule) return true;
    root = entry.a;
  }
  return true;
}

void Interpreter::write_everything(State& state) {
  std::vector<ObjectId> all;
  for (const auto& [id, object] : state.objects)
    if (object.kind == ObjectKind::kTensor || object.kind == ObjectKind::kMemory) all.push_back(id);
  for (const ObjectId id : all) write(id, state);
}

/// Of what is from outside the function tells one tensor from another by its name, but two names
/// may have shared data, and a parameter is an optimizer's as well.
void Interpreter::outside_written(State& state) {
  if (observer_ != nullptr) observer_->outside_written(block_);
  std::erase_if(state.copies, [](const Copy& copy) { return copy.changeable; });
  for (auto& [id, object] : state.objects)
    if (object.source != 0 && object.device.is_cpu() && from_outside(object.source, state))
      object.source = 0;
}

void Interpreter::lose(ObjectId id, State& state, unsigned depth) {
  Object* object = state.objects.find(id);
  if (object == nullptr || depth > 3) return;
  if (object->kind == ObjectKind::kMemory) {  // it stays where it is
    state.escape(id);
    if (observer_ != nullptr) observer_->escaped(id, block_);
    return write(id, state);
  }
  part_moved(object->parent, Device::unknown(), state);
  object->parent = 0;
  object->device = Device::unknown();
  object->rank = Rank::kUnknown;
  object->placed = Placed::kUnknown;
  state.escape(id);
  if (observer_ != nullptr) observer_->escaped(id, block_);
  write(id, state);
  for (const ObjectId part : state.parts_of(id)) {
    const Object* held = state.objects.find(part);
    if (held != nullptr && held->parent == id) continue;
    lose(part, state, depth + 1);
  }
  state.fields.erase_if([&](const auto& entry) { return entry.first.first == id; });
}

/// Which modules hold the tensor is not known: any may be elsewhere now, in part.
void Interpreter::reseat(ObjectId tensor, State& state) {
  std::vector<ObjectId> moved = {tensor};
  for (const auto& [id, object] : state.objects)
    if (object.kind == ObjectKind::kModule) moved.push_back(id);
  for (const ObjectId id : moved) lose(id, state);
}

/// `list[i] = x`: which element it replaces is not known, so the others stay, and x is one of them.
void Interpreter::put(ObjectId list, ObjectId element, State& state) {
  Object* whole = state.objects.find(list);
  const Object* part = state.objects.find(element);
  if (whole == nullptr || list == element) return;
  if (part == nullptr) return lose(list, state);
  whole->rank = Rank::kUnknown;
  state.fields.erase_if([&](const auto& entry) {
    return entry.first.first == list && entry.first.second >= kFirstElement;
  });
  add_element(list, element, state);
  write(list, state);
}

/// The list is where all its elements are; one that its module registered, where that is, as long
/// as they are.
void Interpreter::add_element(ObjectId list, ObjectId element, State& state) {
  Object* whole = state.objects.find(list);
  const Object* part = state.objects.find(element);
  const Device before = state.device_of(list);
  const Device after = join(before, state.device_of(element));
  if (!(after == before)) {
    whole->parent = 0;
    whole->device = after;
  }
  if (part == nullptr) return;
  if (whole->where == 0) whole->where = part->where;
  state.merge_aliases(whole->alias, part->alias);
  share_parts(element, state);
  state.fields[{list, kFirstAppended + fact_}] = Value::of(element);
  state.escape(element);
  if (observer_ != nullptr) observer_->escaped(element, block_);
}

Value Interpreter::apply(const fact::Select& select, State& state) {
  const Value a = value(select.a, state);
  const Value b = value(select.b, state);
  if (a == b && a.kind != ValueKind::kNone) return a;
  if (a.kind == ValueKind::kNone || a.kind != b.kind) return fresh(select.type, state, 0);
  if (a.kind == ValueKind::kDevice || a.kind == ValueKind::kOptions) {
    Device device = a.device;
    if (!(a.device == b.device)) {
      const bool may_cpu = symbols_.may_be_cpu(a.device) || symbols_.may_be_cpu(b.device);
      const bool may_cuda = symbols_.may_be_cuda(a.device) || symbols_.may_be_cuda(b.device);
      device = opaque(state, 0);
      Symbol& symbol = symbols_[device.symbol];
      symbol.may_cpu |= may_cpu;
      symbol.may_cuda |= may_cuda;
      symbol.chosen = running_->spot;
    }
    return a.kind == ValueKind::kDevice ? Value::of(device)
                                        : Value::options(device, a.has_device || b.has_device);
  }
  const Object* left = state.objects.find(a.object);
  const Object* right = state.objects.find(b.object);
  if (left == nullptr || right == nullptr) return fresh(select.type, state, 0);
  Object joined = common(*left, *right);
  joined.device = join(state.device_of(a.object), state.device_of(b.object));
  if (left->parent == 0 && right->parent == 0)
    note_move(joined, *left, *right, block_, fact_, symbols_);
  joined.parent = 0;
  joined.source = 0;
  joined.version = 0;
  const ObjectId left_alias = left->alias;
  const ObjectId right_alias = right->alias;
  joined.alias = 0;
  const ObjectId id = make(state, 0, joined);
  state.merge_aliases(id, left_alias);
  state.merge_aliases(state.objects.find(id)->alias, right_alias);
  return Value::of(id);
}

/// The host follows a pointer into an object.
Value Interpreter::apply(const fact::Access& access, State& state) {
  const ObjectId id = object(access.pointer, state);
  const Object* touched = state.objects.find(id);
  if (touched == nullptr) return {};
  const bool memory = touched->kind == ObjectKind::kMemory;
  if (observer_ != nullptr) {
    HostAccessEvent event{fact_, block_, &access, running_->spot, id, *touched};
    event.object.device = state.device_of(id);
    observer_->host_access(event);
    const auto tell = [&](DataUse use) {
      observer_->data({use, fact_, block_, nullptr, access.spot, Role::kTensor, *touched});
    };
    if (touched->arriving != 0) tell(DataUse::kEarlyRead);
    if (memory && access.writes && touched->leaving != 0) tell(DataUse::kEarlyWrite);
    if (memory) observer_->read(id, fact_, block_);
  }
  if (memory && access.writes) write(id, state);
  return {};
}

void Interpreter::run(const Fact& fact, FactId id, BlockId block, State& state) {
  running_ = &fact;
  fact_ = id;
  block_ = block;
  if (observer_ != nullptr) observer_->running(fact, block);
  const Value made = std::visit([&](const auto& what) { return apply(what, state); }, fact.what);
  if (fact.value != 0) state.temporaries[fact.value] = made;
}

ObjectId Interpreter::object(ValueId id, const State& state) const {
  return value(id, state).object;
}

Value Interpreter::apply(const fact::Load& load, State& state) {
  return this->load(load.place, state);
}

Value Interpreter::apply(const fact::DeviceIs& is, State&) { return Value::of(is.device); }

Value Interpreter::apply(const fact::ElementIs& is, State&) { return Value::of(is.element); }

Value Interpreter::apply(const fact::FieldOf& of, State& state) {
  return field_value(object(of.object, state), of.field, state);
}

Value Interpreter::apply(const fact::Copy& copy, State& state) {
  const ObjectId from = object(copy.from, state);
  const Object* copied = state.objects.find(from);
  if (copied == nullptr) return value(copy.from, state);
  Object made = *copied;
  made.device = state.device_of(from);
  made.parent = 0;
  made.version = 0;
  const ObjectId to = make(state, 0, made);
  std::vector<std::pair<FieldId, Value>> parts;
  for (const auto& [key, part] : state.fields) {
    if (key.first != from) continue;
    const Object* held = state.objects.find(part.object);
    if (held == nullptr || held->parent != from) parts.emplace_back(key.second, part);
  }
  for (const auto& [field, part] : parts) state.fields[{to, field}] = part;
  if (const auto written = lists_.find(from); written != lists_.end()) lists_[to] = written->second;
  return Value::of(to);
}

/// A list or a tuple is where its parts are, if that is one place.
ObjectId Interpreter::whole_of(const std::vector<ValueId>& parts, ObjectKind kind, Device empty,
                               State& state) {
  Object made;
  made.kind = kind;
  made.device = empty;
  made.rank = Rank::kUnknown;
  bool first = true;
  for (const ValueId value : parts) {
    const ObjectId part = object(value, state);
    const Object* held = state.objects.find(part);
    if (held == nullptr) {
      made.device = Device::unknown();
      continue;
    }
    made.device = join(made.device, state.device_of(part));
    made.rank = first ? held->rank : join(made.rank, held->rank);
    first = false;
  }
  const ObjectId whole = make(state, 0, made);
  for (std::size_t index = 0; index < parts.size(); ++index) {
    const Value part = value(parts[index], state);
    if (const Object* held = state.objects.find(part.object)) {
      state.merge_aliases(state.objects.find(whole)->alias, held->alias);
      if (kind == ObjectKind::kList) share_parts(part.object, state);
    }
    if (kind == ObjectKind::kTuple || part.kind == ValueKind::kObject)
      state.fields[{whole, static_cast<FieldId>(kFirstElement + index)}] = part;
  }
  return whole;
}

Value Interpreter::apply(const fact::List& list, State& state) {
  const Device empty = list.anywhere ? Device::unknown() : Device::bottom();
  const ObjectId whole = whole_of(list.elements, ObjectKind::kList, empty, state);
  lists_[whole] = &list;
  return Value::of(whole);
}

Value Interpreter::apply(const fact::Tuple& tuple, State& state) {
  return Value::of(whole_of(tuple.parts, ObjectKind::kTuple, Device::bottom(), state));
}

Value Interpreter::apply(const fact::ElementOf& of, State& state) {
  const ObjectId whole = object(of.whole, state);
  // What holds the modules themselves for another view of it: a map's pairs.
  if (state.objects.find(whole) != nullptr && of.type.role != Role::kModule)
    share_parts(whole, state);
  const Value made = fresh(of.type, state, 0);
  const Object* list = state.objects.find(whole);
  Object* element = state.objects.find(made.object);
  if (list == nullptr || element == nullptr || element->kind == ObjectKind::kRecord) return made;
  const Device device = state.device_of(whole);
  // A value that may be a list or a tuple of tensors is followed as a tensor.
  const bool value = list->kind == ObjectKind::kTensor;
  if ((value || list->kind == ObjectKind::kList) && device.kind != DeviceKind::kUnknown &&
      device.kind != DeviceKind::kBottom)
    element->device = device;
  element->rank = value ? Rank::kUnknown : list->rank;
  element->where = list->where;
  element->escaped = list->escaped;
  element->alias = list->alias;
  if (element->kind == ObjectKind::kModule) hand_out_part(whole, made, state);
  return made;
}

Value Interpreter::apply(const fact::Put& put, State& state) {
  this->put(object(put.list, state), object(put.element, state), state);
  return {};
}

Value Interpreter::apply(const fact::PartOf& of, State& state) {
  const ObjectId tuple = object(of.tuple, state);
  if (const Value* part =
          state.fields.find({tuple, static_cast<FieldId>(kFirstElement + of.index)}))
    return *part;
  const Value made = fresh(of.type, state, 0);
  const Object* whole = state.objects.find(tuple);
  Object* element = state.objects.find(made.object);
  if (whole == nullptr || element == nullptr || element->kind == ObjectKind::kModule) return made;
  if (whole->device.is_known() || whole->device.is_symbol()) {
    element->device = whole->device;
    element->placed = whole->placed;
    element->where = whole->where;
  }
  return made;
}

Value Interpreter::apply(const fact::Fresh& what, State& state) {
  if (what.reason != nullptr && observer_ != nullptr) observer_->unknown(what.reason);
  const Value made = fresh(what.type, state, 0);
  Object* object = state.objects.find(made.object);
  switch (what.known) {
    case Known::kNothing: break;
    case Known::kDeviceChoice:
      if (what.kind != 0 && value(what.kind, state).device.is_cpu())
        return Value::of(Device::cpu());
      if (made.device.is_symbol()) {
        Symbol& symbol = symbols_[made.device.symbol];
        symbol.may_cpu = symbol.may_cuda = true;
        symbol.chosen = running_->spot;
      }
      break;
    case Known::kEmpty:
      if (object != nullptr) object->device = Device::bottom();
      break;
    case Known::kHost:
    case Known::kHostVariable:
      if (object == nullptr) break;
      object->device = Device::cpu();
      object->memory = Memory::kPageable;
      object->placed = Placed::kMade;
      object->where = running_->spot;
      object->escaped = what.known == Known::kHostVariable;
      break;
  }
  return made;
}

Value Interpreter::apply(const fact::Lose& what, State& state) {
  if (what.reason != nullptr && observer_ != nullptr) observer_->unknown(what.reason);
  lose(object(what.what, state), state);
  return {};
}

Value Interpreter::apply(const fact::Share& what, State& state) {
  share_whole(object(what.what, state), state);
  return {};
}

Value Interpreter::apply(const fact::Invoke& what, State& state) {
  return call(facts_.calls[what.call], state);
}

Value Interpreter::apply(const fact::KeepPointer& kept, State& state) {
  if (observer_ != nullptr)
    observer_->kept_pointer({fact_, block_, running_->spot, kept.spot, object(kept.object, state)});
  return {};
}

Value Interpreter::apply(const fact::End& end, State& state) {
  state.variables.erase(end.variable);
  state.variables.erase(kFirstPointer + end.variable);
  return {};
}

Value Interpreter::apply(const fact::Return& what, State& state) {
  if (what.value == 0) return {};
  state.variables[kReturnVariable] = value(what.value, state);
  if (const ObjectId id = object(what.value, state); id != 0 && observer_ != nullptr)
    observer_->read(id, fact_, block_);
  return {};
}

Value Interpreter::apply(const fact::Change& change, State& state) {
  std::erase_if(state.copies, [&](const Copy& copy) {
    return names(facts_.calls[copy.call].extent, change.name);
  });
  return {};
}

Value Interpreter::apply(const fact::EndStatement&, State& state) {
  state.temporaries.clear();
  return {};
}

}  // namespace xfer::analyzer
