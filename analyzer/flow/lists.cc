#include "analyzer/flow/lists.h"

#include <algorithm>
#include <vector>

#include "analyzer/flow/handed.h"
#include "analyzer/flow/join.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"

namespace xfer::analyzer {
namespace {

/// The number of the place of several parts, among what a fact makes.
constexpr std::uint32_t kEither = 8;
constexpr std::uint32_t kRecord = 9;

/// The same place, or a symbol of it for those that are known to be somewhere.
Device either(Step& step, Device a, Device b, std::uint32_t number = kEither) {
  const Device joined = join(a, b);
  if (joined.kind != DeviceKind::kUnknown || a.kind == DeviceKind::kUnknown ||
      b.kind == DeviceKind::kUnknown)
    return joined;
  const Device place = Device::of(step.symbol_of_result(number));
  if (!(a == place) && !(b == place)) step.opaque(number);
  add_either(step.symbols[place.symbol], place.symbol, a, b);
  return place;
}

/// A list of devices says one that all its elements may be: the same, or of several that may be
/// CUDA one that may.
Device either_device(Step& step, Device a, Device b) {
  const Device joined = join(a, b);
  if (joined.kind != DeviceKind::kUnknown || !step.symbols.may_be_cuda(a) ||
      !step.symbols.may_be_cuda(b))
    return joined;
  const Device some = Device::of(step.symbol_of_result(kEither));
  if (!(a == some) && !(b == some)) step.opaque(kEither);
  step.symbols[some.symbol].may_cuda = true;
  step.symbols[some.symbol].of_device = true;
  step.symbols[some.symbol].chosen = step.spot;
  return some;
}

/// Where an element is: of a record all that it has.
Device place_of(Step& step, ObjectId element) {
  const Object* object = step.find(element);
  const Device at = step.device_of(element);
  if (object == nullptr || object->kind != ObjectKind::kRecord || at.is_known() || at.is_symbol() ||
      step.origins[element].origin != Origin::kFact)
    return at;
  std::vector<Device> places;
  for (const auto& [key, value] : step.state.fields)
    if (key.first == element && value.kind == ValueKind::kObject)
      places.push_back(step.device_of(value.object));
  Device parts = Device::bottom();
  for (const Device one : places) parts = either(step, parts, one, kRecord);
  return parts.kind == DeviceKind::kBottom ? Device::unknown() : parts;
}

/// Of pointers in a list what all of them are: in memory of one kind, from one allocation.
void note_memory(Object& list, const Object& part, bool first) {
  if (part.kind != ObjectKind::kMemory) return;
  if (first) {
    list.memory = part.memory;
    list.placed = part.placed;
    list.placed_at = part.placed_at;
    return;
  }
  if (list.memory != part.memory) list.memory = Memory::kUnknown;
  if (list.placed_at != part.placed_at) list.placed = Placed::kUnknown;
}

/// A list or a tuple is where its parts are.
ObjectId whole_of(Step& step, const std::vector<ValueId>& parts, ObjectKind kind, Device empty) {
  Object made;
  made.kind = kind;
  made.device = empty;
  made.rank = Rank::kUnknown;
  bool first = true;
  for (const ValueId value : parts) {
    const ObjectId part = step.object(value);
    const Object* held = step.find(part);
    if (const Value one = step.value(value); one.kind == ValueKind::kDevice) {
      made.device = either_device(step, made.device, one.device);
      continue;
    }
    if (held == nullptr) {
      made.device = Device::unknown();
      continue;
    }
    made.device = either(step, made.device, place_of(step, part));
    made.rank = first ? held->rank : join(made.rank, held->rank);
    note_memory(made, *held, first);
    first = false;
  }
  const ObjectId whole = step.make(0, made);
  for (std::size_t index = 0; index < parts.size(); ++index) {
    const Value part = step.value(parts[index]);
    if (const Object* held = step.find(part.object)) {
      step.state.merge_aliases(step.find(whole)->alias, held->alias);
      if (kind == ObjectKind::kList) share_parts(step, part.object);
    }
    if (kind == ObjectKind::kTuple || part.kind == ValueKind::kObject)
      step.state.fields[{whole, element_field(index)}] = part;
  }
  return whole;
}

/// The whole that a tensor came out of; none: that is unknown, or the tensor's device is no symbol.
ObjectId out_of(const Step& step, ObjectId part) {
  const Object* object = step.find(part);
  return object == nullptr || !object->device.is_symbol()
             ? ObjectId()
             : step.symbols[object->device.symbol].base;
}

/// The tensors in `whole` came there together, though it is unknown from where.
void came_out_of(Step& step, ObjectId whole, const Value& part) {
  const Object* object = step.find(part.object);
  if (object == nullptr || object->kind != ObjectKind::kTensor || !object->device.is_symbol())
    return;
  Symbol& symbol = step.symbols[object->device.symbol];
  symbol.base = whole;
  symbol.version = step.find(whole)->version;
}

/// The value of an element that an index has named before; null: not known.
const Value* named_before(const Step& step, ObjectId list, const fact::ElementOf& of) {
  if (of.key == 0 || (of.type.role != Role::kTensor && of.type.role != Role::kMemory &&
                      of.type.role != Role::kRecord))
    return nullptr;
  return step.state.fields.find({list, keyed_field(of.key)});
}

/// The field is that of an element which a constant names, and the key is another constant.
bool names_another(FieldId field, ElementKey key) {
  if (field < kFirstKeyed || key == 0 || key >= kFirstNamedKey) return false;
  const ElementKey named = field.number() - kFirstKeyed.number();
  return named < kFirstNamedKey && named != key;
}

/// The index names this record from now on. Another index may name the same record, unless both are
/// constants.
void name_record(Step& step, ObjectId list, ElementKey key, const Value& record) {
  step.state.fields.erase_if([&](const auto& entry) {
    return entry.first.first == list && entry.first.second >= kFirstKeyed &&
           !names_another(entry.first.second, key);
  });
  step.state.fields[{list, keyed_field(key)}] = record;
}

}  // namespace

void put_element(Step& step, ObjectId list, ObjectId element, ElementKey key) {
  Object* whole = step.find(list);
  const Object* part = step.find(element);
  if (whole == nullptr || list == element) return;
  if (part == nullptr) return lose(step, list);
  whole->rank = Rank::kUnknown;
  step.state.fields.erase_if([&](const auto& entry) {
    return entry.first.first == list && entry.first.second >= kFirstElement &&
           !names_another(entry.first.second, key);
  });
  add_element(step, list, element);
  if (key != 0) step.state.fields[{list, keyed_field(key)}] = Value::of(element);
  step.write(list);
}

void add_element(Step& step, ObjectId list, ObjectId element) {
  Object* whole = step.find(list);
  const Object* part = step.find(element);
  const Device before = step.device_of(list);
  const Device added = place_of(step, element);
  const Device after = either(step, before, added);
  if (!(after == before)) {
    whole->parent = {};
    whole->device = after;
  }
  hand_to_fields(step, list, element);
  if (part == nullptr) return;
  note_memory(*whole, *part, before.kind == DeviceKind::kBottom);
  if (!whole->placed_at) whole->placed_at = part->placed_at;
  step.state.merge_aliases(whole->alias, part->alias);
  share_parts(step, element);
  step.state.fields[{list, appended_field(step.fact)}] = Value::of(element);
  // A list that this function made, and gave to nobody, tells of all that is done to its elements.
  if (step.from_outside(list) || step.find(list)->escaped)
    step.escape(element);
  else
    step.events.escaped(element, step.block);
}

void add_device(Step& step, ObjectId list, Device device) {
  Object* whole = step.find(list);
  if (whole == nullptr) return;
  const Device after = either_device(step, whole->device, device);
  step.find(list)->device = after;
  step.write(list);
}

Value apply(Step& step, const fact::List& list) {
  const Device empty = list.anywhere ? Device::unknown() : Device::bottom();
  const ObjectId whole = whole_of(step, list.elements, ObjectKind::kList, empty);
  step.tables.lists[whole] = &list;
  return Value::of(whole);
}

Value apply(Step& step, const fact::Tuple& tuple) {
  return Value::of(whole_of(step, tuple.parts, ObjectKind::kTuple, Device::bottom()));
}

Value apply(Step& step, const fact::ElementOf& of) {
  const ObjectId whole = step.object(of.whole);
  if (const Value* before = named_before(step, whole, of)) return *before;
  // The element holds the modules themselves, in another view of the whole: a map's pairs.
  if (step.find(whole) != nullptr && of.type.role != Role::kModule) share_parts(step, whole);
  const Value made = step.fresh(of.type, 0);
  const Object* list = step.find(whole);
  if (list != nullptr && made.kind == ValueKind::kDevice)
    return list->device.is_known() || list->device.is_symbol() ? Value::of(list->device) : made;
  Object* element = step.find(made.object);
  if (list == nullptr || element == nullptr) return made;
  if (of.key != 0 && list->kind == ObjectKind::kList && element->kind == ObjectKind::kRecord)
    name_record(step, whole, of.key, made);
  // Of what a record's fields hold the whole program knows more than of the lists that it is in.
  if (element->kind == ObjectKind::kRecord &&
      (list->kind != ObjectKind::kList ||
       (!list->device.is_known() && list->placed != Placed::kGiven)))
    return made;
  const Device device = step.device_of(whole);
  // A value that may be a list or a tuple of tensors is followed as a tensor.
  const bool value = list->kind == ObjectKind::kTensor;
  if ((value || list->kind == ObjectKind::kList) && device.kind != DeviceKind::kUnknown &&
      device.kind != DeviceKind::kBottom)
    element->device = device;
  else if (std::ranges::all_of(step.state.parts_of(whole),
                               [&](ObjectId part) { return out_of(step, part) == whole; }))
    came_out_of(step, whole, made);
  element->rank = value ? Rank::kUnknown : list->rank;
  element->placed_at = list->placed_at;
  element->escaped = list->escaped;
  element->alias = list->alias;
  element->memory = list->memory;
  element->arriving = list->arriving;
  element->leaving = list->leaving;
  if (element->kind == ObjectKind::kModule) hand_out_part(step, whole, made);
  if (element->kind == ObjectKind::kMemory) element->placed = list->placed;
  if (of.key != 0 && list->kind == ObjectKind::kList &&
      (element->kind == ObjectKind::kTensor || element->kind == ObjectKind::kMemory))
    step.state.fields[{whole, keyed_field(of.key)}] = made;
  return made;
}

Value apply(Step& step, const fact::Put& put) {
  const Value element = step.value(put.element);
  if (element.kind == ValueKind::kDevice)
    add_device(step, step.object(put.list), element.device);
  else
    put_element(step, step.object(put.list), element.object, put.key);
  return {};
}

Value apply(Step& step, const fact::PartOf& of) {
  const ObjectId tuple = step.object(of.tuple);
  if (const Value* part = step.state.fields.find({tuple, element_field(of.index)})) return *part;
  const Value made = step.fresh(of.type, 0);
  const Object* whole = step.find(tuple);
  Object* element = step.find(made.object);
  if (whole == nullptr || element == nullptr) return made;
  if (element->kind == ObjectKind::kModule) {
    hand_out_part(step, tuple, made);
    return made;
  }
  if (whole->device.is_known() || whole->device.is_symbol()) {
    element->device = whole->device;
    element->rank = whole->rank;
    element->placed = whole->placed;
    element->placed_at = whole->placed_at;
  } else {
    came_out_of(step, tuple, made);
  }
  // The next look at it finds the same.
  step.state.fields[{tuple, element_field(of.index)}] = made;
  return made;
}

}  // namespace xfer::analyzer
