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

SymbolId SymbolTable::of_field(ObjectId whole, FieldId field, VersionId version, BlockId block) {
  const SymbolId id = intern(Origin::kField, whole, field, version);
  Symbol& symbol = symbols_[id];
  symbol.block = block;
  symbol.base = whole;
  symbol.version = version;
  symbol.field = field;
  symbol.initial = version == first_version(whole);
  return id;
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

void place_elements(Object& memory, Elements elements) {
  if (elements == Elements::kAnywhere) return;
  memory.device = elements == Elements::kOnHost ? Device::cpu() : Device::cuda(Device::kCurrent);
  if (elements == Elements::kOnHost) memory.memory = Memory::kPageable;
}

namespace {

template <class Map, class Function>
void for_each_value(Map& map, Function function) {
  for (auto& entry : map) function(entry.second);
}

Object common_of(Object a, const Object& b) {
  a.device = join(a.device, b.device);
  a.rank = join(a.rank, b.rank);
  if (a.kind != b.kind) a.kind = ObjectKind::kRecord;
  if (a.strict != b.strict) a.strict = Strict::kUnknown;
  if (a.filled != b.filled) a.filled = Strict::kUnknown;
  if (a.placed != b.placed) a.placed = Placed::kUnknown;
  if (a.type != b.type) a.type = 0;
  if (a.element != b.element) a.element = Element::kUnknown;
  if (a.memory != b.memory) a.memory = Memory::kUnknown;
  if (a.grad != b.grad) a.grad = Grad::kUnknown;
  if (!b.arriving) a.arriving = {};  // of two copies one is enough to wait for
  if (a.leaving != b.leaving) a.leaving = {};
  if (!b.freed) a.freed = {};
  a.freed_outside |= b.freed_outside;
  a.escaped |= b.escaped;
  a.parts |= b.parts;
  a.placed_at = std::min(a.placed_at, b.placed_at);
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

}  // namespace

Object common(Object a, const Object& b) {
  Object joined = common_of(a, b);
  // A pointer that is null on one path, a list of pointers that is empty there, is what the other
  // path has.
  const bool nowhere = a.device.kind == DeviceKind::kBottom;
  if (a.kind == b.kind && nowhere != (b.device.kind == DeviceKind::kBottom) &&
      (a.kind == ObjectKind::kMemory || a.kind == ObjectKind::kList)) {
    const Object& there = nowhere ? b : a;
    joined.memory = there.memory;
    joined.placed = there.placed;
    joined.placed_at = there.placed_at;
  }
  return joined;
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

std::vector<ObjectId> State::parts_of(ObjectId whole) const {
  std::vector<ObjectId> parts;
  for (const auto& [key, value] : fields)
    if (key.first == whole && value.object) parts.push_back(value.object);
  return parts;
}

void State::forget_fields(ObjectId whole) {
  fields.erase_if([&](const auto& entry) { return entry.first.first == whole; });
}

void State::forget_keys(ObjectId list) {
  fields.erase_if([&](const auto& entry) {
    return entry.first.second >= kFirstKeyed && (!list || entry.first.first == list);
  });
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

namespace {

constexpr unsigned kMaxWholes = 8;  ///< a field of a field of ...

/// A field holds it of something that is itself held, or is on its way, or others may hold.
bool is_held(const State& state, ObjectId id, unsigned depth) {
  const auto is = [&](const auto& entry) { return entry.second.object == id; };
  const auto variable_is = [&](const auto& entry) {
    return is(entry) && !is_pointer_slot(entry.first);
  };
  if (std::any_of(state.variables.begin(), state.variables.end(), variable_is)) return true;
  return std::any_of(state.fields.begin(), state.fields.end(), [&](const auto& entry) {
    const ObjectId whole = entry.first.first;
    if (!is(entry)) return false;
    if (whole == id || depth == kMaxWholes) return true;
    const Object* object = state.objects.find(whole);
    if (object == nullptr || object->escaped || object->parent) return true;
    const auto on_its_way = [&](const auto& made) { return made.second.object == whole; };
    return std::any_of(state.temporaries.begin(), state.temporaries.end(), on_its_way) ||
           is_held(state, whole, depth + 1);
  });
}

}  // namespace

bool State::holds(ObjectId id) const { return is_held(*this, id, 0); }

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

}  // namespace xfer::analyzer
