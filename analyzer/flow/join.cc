#include "analyzer/flow/join.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

/// The same as note_move where neither was moved: one of two known places, a symbol of this place.
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

/// A field's value that is what its object was found with.
bool is_as_found(const OriginTable& origins, const Value& value, ObjectId whole, FieldId field) {
  const OriginTable::Entry& origin = origins[value.object];
  return origin.origin == Origin::kField && origin.whole() == whole && origin.field() == field;
}

/// The same of a device.
bool is_as_found(const SymbolTable& symbols, Device device, ObjectId whole, FieldId field) {
  if (!device.is_symbol()) return false;
  const Symbol& symbol = symbols[device.symbol];
  return symbol.origin == Origin::kField && symbol.base == whole && symbol.field == field;
}

}  // namespace

void note_move(Object& joined, const Object& a, const Object& b, BlockId block, Part what,
               SymbolTable& symbols) {
  const auto moved = [&](Device device) {
    return device.is_cuda() || (device.is_symbol() && symbols[device.symbol].may_cuda);
  };
  // A module that others made, or that was read from a file, may be anywhere before it is moved.
  const bool module = a.kind == ObjectKind::kModule;
  const auto stayed = [&](Device device, Device other) {
    if (!device.is_symbol()) return device.is_cpu();
    const Symbol& symbol = symbols[device.symbol];
    const bool found =
        symbol.loaded || symbol.origin == Origin::kParameter || symbol.origin == Origin::kField;
    return symbol.on_one_path == other || (module && found);
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
  joined.placed_at = there->placed_at;
}

void add_either(Symbol& either, SymbolId id, Device a, Device b) {
  for (const Device device : {a, b})
    if (!(device == Device::of(id)) &&
        std::ranges::find(either.one_of, device) == either.one_of.end())
      either.one_of.push_back(device);
}

/// A path that has not looked at a tensor's field has there what the object was found with. Adds to
/// `state` the fields that another path stored to.
void Joiner::look_up(State& state, const State& other) {
  for (const auto& [key, value] : other.fields) {
    const auto& [whole, field] = key;
    const Object* owner = state.objects.find(whole);
    const Object* stored = other.objects.find(value.object);
    if (owner == nullptr || stored == nullptr || field >= kFirstElement ||
        (stored->kind != ObjectKind::kTensor && stored->kind != ObjectKind::kMemory) ||
        state.fields.find(key) != nullptr)
      continue;
    // A record that is on a device has all its parts there, but for what pointers in it point to.
    const bool by_field = owner->kind == ObjectKind::kModule ||
                          stored->kind == ObjectKind::kMemory ||
                          (owner->kind == ObjectKind::kRecord && !owner->device.is_known() &&
                           !owner->device.is_symbol());
    if (!by_field || is_as_found(origins_, value, whole, field)) continue;
    const VersionId version = owner->version;
    const BlockId block = origins_[version].block;
    const SymbolId symbol = symbols_.of_field(whole, field, version, block);
    const ObjectId id = origins_.intern(Origin::kField, whole, field, version, block);
    if (state.objects.find(id) == nullptr) {
      Object found;
      found.kind = stored->kind;
      found.alias = id;
      found.version = first_version(id);
      found.device = Device::of(symbol);
      found.rank = Rank::kHeld;
      state.objects[id] = found;
    }
    state.fields[key] = Value::of(id);
  }
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
    // A copy that an iteration starts may be under way in the next one.
    joined.leaving = a.leaving ? a.leaving : b.leaving;
    // A container that the loop fills is not meant to stay empty.
    const auto starts = [](Strict one, Strict other) {
      return std::minmax(one, other) == std::minmax(Strict::kYes, Strict::kNo);
    };
    if (starts(a.strict, b.strict)) joined.strict = Strict::kYes;
    if (starts(a.filled, b.filled)) joined.filled = Strict::kYes;
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
    const bool whole = left->kind == ObjectKind::kRecord || left->kind == ObjectKind::kTuple;
    if (whole && left->kind == right->kind) wholes_.push_back({id, a.object, b.object});
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

void Joiner::join_parts(State& state, const State& into, const State& from) {
  while (!wholes_.empty()) {
    const Whole whole = wholes_.back();
    wholes_.pop_back();
    bool all = true;
    for (const auto& [key, value] : into.fields) {
      if (key.first != whole.left) continue;
      const Value* other = from.fields.find({whole.right, key.second});
      all &= other != nullptr;
      if (other != nullptr)
        state.fields[{whole.joined, key.second}] =
            join_value(state, into, from, value, *other, 3, whole.joined, key.second);
    }
    for (const auto& [key, value] : from.fields)
      all &= key.first != whole.right || into.fields.find({whole.left, key.second}) != nullptr;
    // Of a part that one of them does not have nothing is known.
    Object* joined = state.objects.find(whole.joined);
    if (!all && joined->device.kind == DeviceKind::kBottom) joined->device = Device::unknown();
  }
}

void Joiner::join(State& into, State from) {
  if (!from.reachable) return;
  if (!into.reachable) {
    into = std::move(from);
    return;
  }
  look_up(from, into);
  look_up(into, from);
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
      // An element that one path has put into a list may be in it.
      if (key.second >= kFirstKeyed) continue;
      const bool known_there = two.objects.find(key.first) != nullptr;
      if (!known_there || key.second.number() >= kFirstAppended)
        result.fields[key] = value;
      else if (value.kind == ValueKind::kObject) {
        if (is_as_found(origins_, value, key.first, key.second))
          result.fields[key] = value;
        else
          result.fields[key] =
              join_value(result, one, two, value, Value::of(ObjectId()), 2, key.first, key.second);
      } else {
        const Object* owner = one.objects.find(key.first);
        const bool unchanged = owner != nullptr &&
                               owner->version == two.objects.find(key.first)->version &&
                               is_as_found(symbols_, value.device, key.first, key.second);
        Value left = value;
        if (!unchanged) left.device = Device::unknown();
        result.fields[key] = left;
      }
    }
  };
  join_fields(into, from, true);
  join_fields(from, into, false);
  join_parts(result, into, from);
  result.copies.clear();
  for (const Copy& copy : into.copies)
    if (std::find(from.copies.begin(), from.copies.end(), copy) != from.copies.end())
      result.copies.push_back(copy);
  into = std::move(result);
}

}  // namespace xfer::analyzer
