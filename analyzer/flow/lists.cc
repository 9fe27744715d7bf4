#include "analyzer/flow/lists.h"

#include <vector>

#include "analyzer/flow/handed.h"
#include "analyzer/flow/join.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"

namespace xfer::analyzer {
namespace {

/// The number of the place of several parts, among what a fact makes.
constexpr std::uint32_t kEither = 8;

/// The same place, or a symbol of it for those that are known to be somewhere.
Device either(Step& step, Device a, Device b) {
  const Device joined = join(a, b);
  if (joined.kind != DeviceKind::kUnknown || a.kind == DeviceKind::kUnknown ||
      b.kind == DeviceKind::kUnknown)
    return joined;
  const Device place = Device::of(step.symbol_of_result(kEither));
  if (!(a == place) && !(b == place)) step.opaque(kEither);
  add_either(step.symbols[place.symbol], place.symbol, a, b);
  return place;
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
    if (held == nullptr) {
      made.device = Device::unknown();
      continue;
    }
    made.device = either(step, made.device, step.device_of(part));
    made.rank = first ? held->rank : join(made.rank, held->rank);
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

/// `list[i] = x`: which element it replaces is not known, so the others stay, and x is one of them.
void put_element(Step& step, ObjectId list, ObjectId element) {
  Object* whole = step.find(list);
  const Object* part = step.find(element);
  if (whole == nullptr || list == element) return;
  if (part == nullptr) return lose(step, list);
  whole->rank = Rank::kUnknown;
  step.state.fields.erase_if([&](const auto& entry) {
    return entry.first.first == list && entry.first.second >= kFirstElement;
  });
  add_element(step, list, element);
  step.write(list);
}

}  // namespace

void add_element(Step& step, ObjectId list, ObjectId element) {
  Object* whole = step.find(list);
  const Object* part = step.find(element);
  const Device before = step.device_of(list);
  const Device added = step.device_of(element);
  const Device after = either(step, before, added);
  if (!(after == before)) {
    whole->parent = {};
    whole->device = after;
  }
  hand_to_fields(step, list, element);
  if (part == nullptr) return;
  if (!whole->where) whole->where = part->where;
  step.state.merge_aliases(whole->alias, part->alias);
  share_parts(step, element);
  step.state.fields[{list, appended_field(step.fact)}] = Value::of(element);
  step.escape(element);
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
  // What holds the modules themselves for another view of it: a map's pairs.
  if (step.find(whole) != nullptr && of.type.role != Role::kModule) share_parts(step, whole);
  const Value made = step.fresh(of.type, 0);
  const Object* list = step.find(whole);
  Object* element = step.find(made.object);
  if (list == nullptr || element == nullptr || element->kind == ObjectKind::kRecord) return made;
  const Device device = step.device_of(whole);
  // A value that may be a list or a tuple of tensors is followed as a tensor.
  const bool value = list->kind == ObjectKind::kTensor;
  if ((value || list->kind == ObjectKind::kList) && device.kind != DeviceKind::kUnknown &&
      device.kind != DeviceKind::kBottom)
    element->device = device;
  element->rank = value ? Rank::kUnknown : list->rank;
  element->where = list->where;
  element->escaped = list->escaped;
  element->alias = list->alias;
  element->memory = list->memory;
  element->arriving = list->arriving;
  element->leaving = list->leaving;
  if (element->kind == ObjectKind::kModule) hand_out_part(step, whole, made);
  return made;
}

Value apply(Step& step, const fact::Put& put) {
  put_element(step, step.object(put.list), step.object(put.element));
  return {};
}

Value apply(Step& step, const fact::PartOf& of) {
  const ObjectId tuple = step.object(of.tuple);
  if (const Value* part = step.state.fields.find({tuple, element_field(of.index)})) return *part;
  const Value made = step.fresh(of.type, 0);
  const Object* whole = step.find(tuple);
  Object* element = step.find(made.object);
  if (whole == nullptr || element == nullptr || element->kind == ObjectKind::kModule) return made;
  if (whole->device.is_known() || whole->device.is_symbol()) {
    element->device = whole->device;
    element->rank = whole->rank;
    element->placed = whole->placed;
    element->where = whole->where;
  }
  // The next look at it finds the same.
  step.state.fields[{tuple, element_field(of.index)}] = made;
  return made;
}

}  // namespace xfer::analyzer
