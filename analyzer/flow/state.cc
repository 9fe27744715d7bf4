#include "analyzer/flow/state.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {

std::uint32_t OriginTable::number(Origin origin, Part a, Part b, Part c, BlockId block) {
  const auto [entry, added] = numbers_.try_emplace({origin, a.number(), b.number(), c.number()},
                                                   static_cast<std::uint32_t>(entries_.size()));
  if (added) entries_.push_back({origin, a.number(), b.number(), c.number(), block});
  return entry->second;
}

SymbolId SymbolTable::intern(Origin origin, Part a, Part b, Part c) {
  const auto [entry, added] =
      ids_.try_emplace({origin, a.number(), b.number(), c.number()}, SymbolId(symbols_.size()));
  if (added) {
    symbols_[symbols_.add({})].origin = origin;
    if (origin == Origin::kJoin) joins_[BlockId(a.number())].push_back(entry->second);
  }
  return entry->second;
}

bool SymbolTable::may_be_cuda(Device device) const {
  return device.is_cuda() || (device.is_symbol() && symbols_[device.symbol].may_cuda);
}

bool SymbolTable::may_be_cpu(Device device) const {
  return device.is_cpu() || (device.is_symbol() && symbols_[device.symbol].may_cpu);
}

bool SymbolTable::meant_for_cuda(Device device) const {
  return may_be_cuda(device) || (device.is_symbol() && symbols_[device.symbol].of_device);
}

void SymbolTable::restart_joins(BlockId block) {
  if (const auto made = joins_.find(block); made != joins_.end())
    for (const SymbolId symbol : made->second) symbols_[symbol].one_of.clear();
}

Device SymbolTable::older(SymbolId symbol) {
  Symbol known = symbols_[symbol];
  const bool told = known.held || !known.one_of.empty() || !known.all_of.empty();
  if (!told) return Device::unknown();
  const SymbolId id = intern(Origin::kOlder, symbol, 0, 0);
  known.origin = Origin::kOlder;
  if (!known.held) known.one_of = {Device::of(symbol)};
  known.all_of.clear();
  symbols_[id] = std::move(known);
  return Device::of(id);
}

namespace {

template <class Map, class Function>
void for_each_value(Map& map, Function function) {
  for (auto& entry : map) function(entry.second);
}

}  // namespace

Object common(Object a, const Object& b) {
  a.device = join(a.device, b.device);
  a.rank = join(a.rank, b.rank);
  if (a.kind != b.kind) a.kind = ObjectKind::kRecord;
  if (a.strict != b.strict) a.strict = Strict::kUnknown;
  if (a.placed != b.placed) a.placed = Placed::kUnknown;
  if (a.type != b.type) a.type = 0;
  if (a.element != b.element) a.element = Element::kUnknown;
  if (a.memory != b.memory) a.memory = Memory::kUnknown;
  if (a.grad != b.grad) a.grad = Grad::kUnknown;
  if (a.arriving != b.arriving) a.arriving = {};
  if (a.leaving != b.leaving) a.leaving = {};
  a.escaped |= b.escaped;
  a.parts |= b.parts;
  a.where = std::min(a.where, b.where);
  if (a.parent != b.parent) {
    a.parent = {};
    a.device = Device::unknown();
  }
  if (a.source != b.source || a.source_version != b.source_version || a.transfer != b.transfer ||
      a.source_device != b.source_device) {
    a.source = {};
    a.source_version = {};
    a.source_device = Device::unknown();
    a.transfer = {};
    a.copy_version = {};
  }
  return a;
}

void note_move(Object& joined, const Object& a, const Object& b, BlockId block, Part what,
               SymbolTable& symbols) {
  const auto moved = [&](Device device) {
    return device.is_cuda() || (device.is_symbol() && symbols[device.symbol].may_cuda);
  };
  const auto stayed = [&](Device device, Device other) {
    return device.is_cpu() || (device.is_symbol() && symbols[device.symbol].on_one_path == other);
  };
  if (joined.device.kind != DeviceKind::kUnknown || a.parent != b.parent) return;
  const Object* there = moved(a.device) && stayed(b.device, a.device)   ? &a
                        : moved(b.device) && stayed(a.device, b.device) ? &b
                                                                        : nullptr;
  if (there == nullptr) return;
  const SymbolId place = symbols.intern(Origin::kJoin, block, ~std::uint32_t{0}, what);
  symbols[place].block = block;
  symbols[place].on_one_path = there->device;
  joined.device = Device::of(place);
  joined.placed = there->placed;
  joined.where = there->where;
}

Device State::device_of(ObjectId id) const {
  for (unsigned depth = 0; depth < 16; ++depth) {
    const Object* object = objects.find(id);
    if (object == nullptr) return Device::unknown();
    if (!object->parent) return object->device;
    id = object->parent;
  }
  return Device::unknown();
}

void add_either(Symbol& either, SymbolId id, Device a, Device b) {
  for (const Device device : {a, b})
    if (!(device == Device::of(id)) &&
        std::ranges::find(either.one_of, device) == either.one_of.end())
      either.one_of.push_back(device);
}

void note_either(Object& joined, const Object& a, const Object& b, BlockId block, Part what,
                 SymbolTable& symbols) {
  const auto placed = [](const Object& object) {
    return object.device.is_known() || object.device.is_symbol();
  };
  if (joined.device.kind != DeviceKind::kUnknown || a.parent != b.parent || !placed(a) ||
      !placed(b))
    return;
  const SymbolId place = symbols.intern(Origin::kJoin, block, ~std::uint32_t{1}, what);
  symbols[place].block = block;
  add_either(symbols[place], place, a.device, b.device);
  joined.device = Device::of(place);
}

std::vector<ObjectId> State::parts_of(ObjectId whole) const {
  std::vector<ObjectId> parts;
  for (const auto& [key, value] : fields)
    if (key.first == whole && value.object) parts.push_back(value.object);
  return parts;
}

void State::forget_fields(ObjectId whole) {
  fields.erase_if([&](const auto& entry) { return entry.first.first == whole; });
}

void State::retire(VersionId version, VersionId older_version) {
  const ObjectId id(version.number());
  const ObjectId older(older_version.number());
  for (auto& [key, object] : objects) {
    if (object.version == version) {
      if (object.copy_version == version) object.copy_version = older_version;
      object.version = older_version;
    } else if (object.copy_version == version) {
      object.copy_version = {};
    }
    if (object.source == id) object.source = {};
    if (object.source_version == version) object.source_version = {};
    if (object.alias == id) object.alias = older;
    if (object.parent == id) object.parent = older;
  }
  copies.erase(std::remove_if(copies.begin(), copies.end(),
                              [&](const Copy& copy) {
                                return copy.source == id || copy.result == id ||
                                       copy.source_version == version ||
                                       copy.result_version == version;
                              }),
               copies.end());
  const Object* old = objects.find(id);
  if (old == nullptr) return;
  const Object copy = *old;
  objects.erase(id);
  if (Object* there = objects.find(older))
    *there = common(*there, copy);
  else
    objects[older] = copy;
  const auto rename = [&](Value& value) {
    if (value.object == id) value.object = older;
  };
  for_each_value(variables, rename);
  for_each_value(temporaries, rename);
  for_each_value(fields, rename);
  FlatMap<FieldKey, Value> kept;
  bool moved = false;
  for (const auto& [key, value] : fields) moved |= key.first == id;
  if (!moved) return;
  for (const auto& [key, value] : fields)
    kept[{key.first == id ? older : key.first, key.second}] = value;
  fields = std::move(kept);
}

void State::retire_symbol(SymbolId symbol, Device older) {
  const Device device = Device::of(symbol);
  const auto forget = [&](Value& value) {
    if (value.device == device) value.device = older;
  };
  for_each_value(variables, forget);
  for_each_value(temporaries, forget);
  for_each_value(fields, forget);
  for (auto& [id, object] : objects) {
    if (object.device == device) object.device = older;
    if (object.source_device == device) object.source_device = Device::unknown();
  }
  copies.erase(std::remove_if(copies.begin(), copies.end(),
                              [&](const Copy& copy) { return copy.device == device; }),
               copies.end());
}

void State::write(ObjectId id, VersionId version) {
  const Object* written = objects.find(id);
  if (written == nullptr) return;
  const ObjectId alias = written->alias;
  for (auto& [key, object] : objects)
    if (key == id || (alias && object.alias == alias)) {
      object.version = version;
      copies.erase(std::remove_if(copies.begin(), copies.end(),
                                  [&, written_id = key](const Copy& copy) {
                                    return copy.source == written_id || copy.result == written_id;
                                  }),
                   copies.end());
    }
}

void State::escape(ObjectId id) {
  const Object* object = objects.find(id);
  if (object == nullptr) return;
  const ObjectId alias = object->alias;
  for (auto& [key, other] : objects) {
    if (key != id && (!alias || other.alias != alias)) continue;
    other.escaped = true;
    copies.erase(std::remove_if(copies.begin(), copies.end(),
                                [&, escaped_id = key](const Copy& copy) {
                                  return copy.source == escaped_id || copy.result == escaped_id;
                                }),
                 copies.end());
  }
}

void State::merge_aliases(ObjectId a, ObjectId b) {
  if (a == b || !a || !b) return;
  const ObjectId kept = std::min(a, b);
  const ObjectId gone = std::max(a, b);
  for (auto& [key, object] : objects)
    if (object.alias == gone) object.alias = kept;
}

bool State::holds(ObjectId id) const {
  const auto is = [&](const auto& entry) { return entry.second.object == id; };
  const auto variable_is = [&](const auto& entry) {
    return is(entry) && !is_pointer_slot(entry.first);
  };
  return std::any_of(variables.begin(), variables.end(), variable_is) ||
         std::any_of(fields.begin(), fields.end(), is);
}

void State::drop_unreachable() {
  std::set<ObjectId> live;
  std::vector<ObjectId> pending;
  const auto mark = [&](ObjectId id) {
    if (id && live.insert(id).second) pending.push_back(id);
  };
  for (const auto& [key, value] : variables) mark(value.object);
  for (const auto& [key, value] : temporaries) mark(value.object);
  for (const Copy& copy : copies) mark(copy.source);
  while (!pending.empty()) {
    const ObjectId id = pending.back();
    pending.pop_back();
    if (const Object* object = objects.find(id)) {
      mark(object->source);
      mark(object->parent);
    }
    for (const auto& [key, value] : fields)
      if (key.first == id) mark(value.object);
  }
  objects.erase_if([&](const auto& entry) { return live.count(entry.first) == 0; });
  fields.erase_if([&](const auto& entry) { return live.count(entry.first.first) == 0; });
}

Device Joiner::join_device(Device a, Device b, std::uint32_t space, Part key, Part key2) {
  if (a == b) return a;
  if (loop_head_) return Device::unknown();
  const auto may = [&](Device device, bool cuda) {
    if (device.is_symbol())
      return cuda ? symbols_[device.symbol].may_cuda : symbols_[device.symbol].may_cpu;
    return cuda ? device.is_cuda() : device.is_cpu();
  };
  const bool may_cuda = may(a, true) || may(b, true);
  const bool may_cpu = may(a, false) || may(b, false);
  const SpotId chosen = a.is_symbol()   ? symbols_[a.symbol].chosen
                        : b.is_symbol() ? symbols_[b.symbol].chosen
                                        : SpotId();
  const SymbolId id = symbols_.intern(Origin::kJoin, block_, (space << 28) | key.number(), key2);
  Symbol& symbol = symbols_[id];
  symbol.block = block_;
  symbol.may_cuda |= may_cuda;
  symbol.may_cpu |= may_cpu;
  if (!symbol.chosen) symbol.chosen = chosen;
  if (a.kind != DeviceKind::kUnknown && b.kind != DeviceKind::kUnknown)
    add_either(symbol, id, a, b);
  return Device::of(id);
}

Object Joiner::join_object(const Object& a, const Object& b, ObjectId id) {
  Object joined = common(a, b);
  joined.alias = a.alias;
  if (loop_head_) {
    // What an iteration starts may be under way in the next one.
    joined.leaving = a.leaving ? a.leaving : b.leaving;
    // A container that the loop fills is not meant to stay empty.
    if (std::minmax(a.strict, b.strict) == std::minmax(Strict::kYes, Strict::kNo))
      joined.strict = Strict::kYes;
  } else {
    note_move(joined, a, b, block_, id, symbols_);
  }
  note_either(joined, a, b, block_, id, symbols_);
  if (a.version == b.version) {
    const bool both_unchanged = a.version == a.copy_version && b.version == b.copy_version;
    if (!both_unchanged && joined.copy_version != b.copy_version) joined.copy_version = {};
  } else {
    joined.version = origins_.intern_version(Origin::kJoinedWrite, block_, id, 0, block_);
    joined.copy_version = {};
  }
  return joined;
}

Value Joiner::join_value(State& state, const State& into, const State& from, Value a, Value b,
                         std::uint32_t space, Part key, Part key2) {
  if (a == b) return a;
  if (a.kind != b.kind) return {};
  switch (a.kind) {
    case ValueKind::kNone: return {};
    case ValueKind::kDevice: return Value::of(join_device(a.device, b.device, space, key, key2));
    case ValueKind::kElement: return {};
    case ValueKind::kOptions: {
      Value joined = Value::options(join_device(a.device, b.device, space, key, key2),
                                    a.has_device || b.has_device);
      if (a.element == b.element) joined.element = a.element;
      if (a.memory == b.memory) joined.memory = a.memory;
      joined.grad = a.grad && b.grad;
      return joined;
    }
    case ValueKind::kObject: break;
  }
  const ObjectId id =
      origins_.intern(Origin::kJoin, block_, (space << 28) | key.number(), key2, block_);
  const Object* left = into.objects.find(a.object);
  const Object* right = from.objects.find(b.object);
  Object joined = left != nullptr && right != nullptr ? common(*left, *right) : Object{};
  if (left != nullptr && right != nullptr) {
    if (!loop_head_) note_move(joined, *left, *right, block_, id, symbols_);
    note_either(joined, *left, *right, block_, id, symbols_);
  }
  joined.version = first_version(id);
  joined.copy_version = joined.source ? joined.version : VersionId();
  joined.alias = id;
  if (left != nullptr && right != nullptr) {
    if (left->version != left->copy_version || right->version != right->copy_version)
      joined.copy_version = {};
    state.objects[id] = joined;
    state.merge_aliases(id, left->alias);
    state.merge_aliases(state.objects[id].alias, right->alias);
  } else {
    // Memory that is not known on one of the paths may be any.
    const Object* known = left != nullptr ? left : right;
    if (known != nullptr && known->kind == ObjectKind::kMemory) {
      joined.kind = ObjectKind::kMemory;
      joined.escaped = true;
    }
    state.objects[id] = joined;
  }
  return Value::of(id);
}

void Joiner::join(State& into, const State& from) {
  if (!from.reachable) return;
  if (!into.reachable) {
    into = from;
    return;
  }
  State result = into;
  if (!(into.current == from.current)) result.current = Device::cuda(Device::kGuarded);
  for (const auto& [id, object] : from.objects) {
    Object* there = result.objects.find(id);
    if (there == nullptr) {
      result.objects[id] = object;
      continue;
    }
    const ObjectId other = object.alias;
    *there = join_object(*there, object, id);
    result.merge_aliases(result.objects.find(id)->alias, other);
  }
  result.variables.clear();
  for (const auto& [variable, value] : into.variables)
    if (const Value* other = from.variables.find(variable))
      result.variables[variable] = join_value(result, into, from, value, *other, 0, variable, 0);
  result.temporaries.clear();
  for (const auto& [id, value] : into.temporaries) {
    const Value* other = from.temporaries.find(id);
    result.temporaries[id] =
        other == nullptr ? value : join_value(result, into, from, value, *other, 1, id, 0);
  }
  for (const auto& [id, value] : from.temporaries)
    if (into.temporaries.find(id) == nullptr) result.temporaries[id] = value;
  result.fields.clear();
  const auto join_fields = [&](const State& one, const State& two, bool shared) {
    for (const auto& [key, value] : one.fields) {
      const Value* other = two.fields.find(key);
      if (other != nullptr) {
        if (shared)
          result.fields[key] =
              join_value(result, into, from, value, *other, 2, key.first, key.second);
        continue;
      }
      // Untouched on the other path: kept where the other path does not know the object at all.
      // What one path has put into a list is in it, perhaps.
      const bool known_there = two.objects.find(key.first) != nullptr;
      if (!known_there || key.second.number() >= kFirstAppended)
        result.fields[key] = value;
      else if (value.kind == ValueKind::kObject) {
        const OriginTable::Entry& origin = origins_[value.object];
        if (origin.origin == Origin::kField && origin.a == key.first.number() &&
            origin.b == key.second.number())
          result.fields[key] = value;
        else
          result.fields[key] =
              join_value(result, one, two, value, Value::of(ObjectId()), 2, key.first, key.second);
      } else {
        Value unknown = value;
        unknown.device = Device::unknown();
        result.fields[key] = unknown;
      }
    }
  };
  join_fields(into, from, true);
  join_fields(from, into, false);
  result.copies.clear();
  for (const Copy& copy : into.copies)
    if (std::find(from.copies.begin(), from.copies.end(), copy) != from.copies.end())
      result.copies.push_back(copy);
  into = std::move(result);
}

}  // namespace xfer::analyzer
