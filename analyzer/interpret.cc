#include "analyzer/interpret.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>

namespace xfer::analyzer {

Interpreter::Interpreter(const FunctionFacts& facts, const ModelSet& models, Types& types,
                         OriginTable& origins, SymbolTable& symbols, Surroundings& surroundings)
    : facts_(facts),
      models_(models),
      types_(types),
      origins_(origins),
      symbols_(symbols),
      surroundings_(surroundings) {}

Device Interpreter::device_of(const State& state, ObjectId id) const {
  for (unsigned depth = 0; depth < 16; ++depth) {
    const Object* object = state.objects.find(id);
    if (object == nullptr) return Device::unknown();
    if (object->parent == 0) return object->device;
    id = object->parent;
  }
  return Device::unknown();
}

bool Interpreter::may_be_cuda(Device device) const {
  return device.is_cuda() || (device.is_symbol() && symbols_[device.symbol].may_cuda);
}

/// A program that is given a device is given CUDA sometimes: enough to call a copy a waste, not
/// enough to call an operand wrong.
bool Interpreter::meant_for_cuda(Device device) const {
  return may_be_cuda(device) || (device.is_symbol() && symbols_[device.symbol].of_device);
}

bool Interpreter::may_be_cpu(Device device) const {
  return device.is_cpu() || (device.is_symbol() && symbols_[device.symbol].may_cpu);
}

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

Value Interpreter::fresh(Role role, const clang::CXXRecordDecl* record, State& state,
                         std::uint32_t sub) {
  Object object;
  switch (role) {
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
      object.strict = class_strict(record);
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
Value Interpreter::batch(const Fact& fact, State& state) {
  Device device = Device::cpu();
  for (const BatchMaker& maker : fact.makers) {
    const Outcome& made = surroundings_.summary_of(*maker.function).result;
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
  const Value made = fresh(fact.role, fact.record, state, 0);
  Object* object = state.objects.find(made.object);
  if (object == nullptr || device.kind == DeviceKind::kUnknown) return made;
  object->device = device;
  object->placed = Placed::kMade;
  object->where = fact.spot;
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
  const Device before = device_of(state, list);
  const Device after = join(before, device_of(state, element));
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

Value Interpreter::select(const Fact& fact, State& state) {
  const Value a = value(fact.operands[0], state);
  const Value b = value(fact.operands[1], state);
  if (a == b && a.kind != ValueKind::kNone) return a;
  if (a.kind == ValueKind::kNone || a.kind != b.kind)
    return fresh(fact.role, fact.record, state, 0);
  if (a.kind == ValueKind::kDevice || a.kind == ValueKind::kOptions) {
    Device device = a.device;
    if (!(a.device == b.device)) {
      const bool may_cpu = may_be_cpu(a.device) || may_be_cpu(b.device);
      const bool may_cuda = may_be_cuda(a.device) || may_be_cuda(b.device);
      device = opaque(state, 0);
      Symbol& symbol = symbols_[device.symbol];
      symbol.may_cpu |= may_cpu;
      symbol.may_cuda |= may_cuda;
      symbol.chosen = fact.spot;
    }
    return a.kind == ValueKind::kDevice ? Value::of(device)
                                        : Value::options(device, a.has_device || b.has_device);
  }
  const Object* left = state.objects.find(a.object);
  const Object* right = state.objects.find(b.object);
  if (left == nullptr || right == nullptr) return fresh(fact.role, fact.record, state, 0);
  Object joined = common(*left, *right);
  joined.device = join(device_of(state, a.object), device_of(state, b.object));
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

/// The host follows a pointer into the object.
void Interpreter::touch(const Fact& fact, ObjectId id, State& state) {
  const Object* touched = state.objects.find(id);
  if (touched == nullptr) return;
  const bool memory = touched->kind == ObjectKind::kMemory;
  if (observer_ != nullptr) {
    HostAccessEvent event{fact_, block_, &fact, id, *touched};
    event.object.device = device_of(state, id);
    observer_->host_access(event);
    const auto tell = [&](DataUse use) {
      observer_->data({use, fact_, block_, nullptr, fact.spots.front(), Role::kTensor, *touched});
    };
    if (touched->arriving != 0) tell(DataUse::kEarlyRead);
    if (memory && fact.writes && touched->leaving != 0) tell(DataUse::kEarlyWrite);
    if (memory) observer_->read(id, fact_, block_);
  }
  if (memory && fact.writes) write(id, state);
}

void Interpreter::run(const Fact& fact, FactId id, BlockId block, State& state) {
  fact_ = id;
  block_ = block;
  if (observer_ != nullptr) observer_->running(fact, block);
  const auto object = [&](std::size_t index) {
    return index < fact.operands.size() ? value(fact.operands[index], state).object : ObjectId{0};
  };
  Value result;
  switch (fact.kind) {
    case FactKind::kLoad: result = load(fact.place, state); break;
    case FactKind::kStore: store(fact, state); return;
    case FactKind::kFieldOf: result = field_value(object(0), fact.index, state); break;
    case FactKind::kDevice: result = Value::of(fact.device); break;
    case FactKind::kElementType: result = Value::of(fact.element); break;
    case FactKind::kSelect: result = select(fact, state); break;
    case FactKind::kPass: {
      const ObjectId from = object(0);
      const Object* copied = state.objects.find(from);
      if (copied == nullptr) {
        result = value(fact.operands[0], state);
        break;
      }
      Object made = *copied;
      made.device = device_of(state, from);
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
      if (const auto written = list_facts_.find(from); written != list_facts_.end())
        list_facts_[to] = written->second;
      result = Value::of(to);
      break;
    }
    case FactKind::kList:
    case FactKind::kTuple: {
      Object made;
      made.kind = fact.kind == FactKind::kList ? ObjectKind::kList : ObjectKind::kTuple;
      made.device = fact.index == 1 ? Device::unknown() : Device::bottom();
      made.rank = Rank::kUnknown;
      bool first = true;
      for (std::size_t index = 0; index < fact.operands.size(); ++index) {
        const ObjectId part = object(index);
        const Object* held = state.objects.find(part);
        if (held == nullptr) {
          made.device = Device::unknown();
          continue;
        }
        made.device = join(made.device, device_of(state, part));
        made.rank = first ? held->rank : join(made.rank, held->rank);
        first = false;
      }
      const ObjectId id_made = make(state, 0, made);
      for (std::size_t index = 0; index < fact.operands.size(); ++index) {
        const Value part = value(fact.operands[index], state);
        if (const Object* held = state.objects.find(part.object)) {
          state.merge_aliases(state.objects.find(id_made)->alias, held->alias);
          if (fact.kind == FactKind::kList) share_parts(part.object, state);
        }
        if (fact.kind == FactKind::kTuple || part.kind == ValueKind::kObject)
          state.fields[{id_made, static_cast<FieldId>(kFirstElement + index)}] = part;
      }
      if (fact.kind == FactKind::kList) list_facts_[id_made] = &fact;
      result = Value::of(id_made);
      break;
    }
    case FactKind::kElement: {
      const Object* list = state.objects.find(object(0));
      // What holds the modules themselves for another view of it: a map's pairs.
      if (list != nullptr && fact.role != Role::kModule) share_parts(object(0), state);
      result = fresh(fact.role, fact.record, state, 0);
      Object* element = state.objects.find(result.object);
      if (list == nullptr || element == nullptr) break;
      list = state.objects.find(object(0));
      if (list == nullptr || element->kind == ObjectKind::kRecord) break;
      const Device device = device_of(state, object(0));
      // A value that may be a list or a tuple of tensors is followed as a tensor.
      const bool value = list->kind == ObjectKind::kTensor;
      if ((value || list->kind == ObjectKind::kList) && device.kind != DeviceKind::kUnknown &&
          device.kind != DeviceKind::kBottom)
        element->device = device;
      element->rank = value ? Rank::kUnknown : list->rank;
      element->where = list->where;
      element->escaped = list->escaped;
      element->alias = list->alias;
      if (element->kind != ObjectKind::kModule) break;
      hand_out_part(object(0), result, state);
      break;
    }
    case FactKind::kPut: put(object(0), object(1), state); return;
    case FactKind::kTupleElement: {
      const ObjectId tuple = object(0);
      if (const Value* part =
              state.fields.find({tuple, static_cast<FieldId>(kFirstElement + fact.index)})) {
        result = *part;
        break;
      }
      result = fresh(fact.role, fact.record, state, 0);
      const Object* whole = state.objects.find(tuple);
      Object* element = state.objects.find(result.object);
      if (whole == nullptr || element == nullptr || element->kind == ObjectKind::kModule) break;
      if (whole->device.is_known() || whole->device.is_symbol()) {
        element->device = whole->device;
        element->placed = whole->placed;
        element->where = whole->where;
      }
      break;
    }
    case FactKind::kFresh:
      if (fact.reason != nullptr && observer_ != nullptr) observer_->unknown(fact.reason);
      result = fresh(fact.role, fact.record, state, 0);
      if (fact.index == kFreshDevice && !fact.operands.empty() &&
          value(fact.operands.front(), state).device.is_cpu()) {
        result = Value::of(Device::cpu());
      } else if (fact.index == kFreshDevice && result.device.is_symbol()) {
        symbols_[result.device.symbol].may_cpu = symbols_[result.device.symbol].may_cuda = true;
        symbols_[result.device.symbol].chosen = fact.spot;
      }
      if (fact.index == kFreshEmpty)
        if (Object* made = state.objects.find(result.object)) made->device = Device::bottom();
      if (fact.index == kFreshHost || fact.index == kFreshVariable)
        if (Object* made = state.objects.find(result.object)) {
          made->device = Device::cpu();
          made->memory = Memory::kPageable;
          made->placed = Placed::kMade;
          made->where = fact.spot;
          made->escaped = fact.index == kFreshVariable;
        }
      break;
    case FactKind::kBatch: result = batch(fact, state); break;
    case FactKind::kLose:
      if (fact.reason != nullptr && observer_ != nullptr) observer_->unknown(fact.reason);
      lose(object(0), state);
      return;
    case FactKind::kShare: share_whole(object(0), state); return;
    case FactKind::kCall: call(fact, state); return;
    case FactKind::kHostAccess: touch(fact, object(0), state); return;
    case FactKind::kKeepPointer:
      if (observer_ != nullptr) observer_->kept_pointer({fact_, block_, &fact, object(0)});
      return;
    case FactKind::kEnd:
      state.variables.erase(fact.index);
      state.variables.erase(kFirstPointerVariable + fact.index);
      return;
    case FactKind::kReturn:
      if (fact.operands[0] != 0) {
        state.variables[kReturnVariable] = value(fact.operands[0], state);
        if (observer_ != nullptr && object(0) != 0) observer_->read(object(0), fact_, block_);
      }
      return;
    case FactKind::kChange:
      std::erase_if(state.copies, [&](const Copy& copy) {
        return names(facts_.calls[copy.call].extent, fact.index);
      });
      return;
    case FactKind::kEndStatement: state.temporaries.clear(); return;
  }
  if (fact.value != 0) state.temporaries[fact.value] = result;
}

}  // namespace xfer::analyzer
