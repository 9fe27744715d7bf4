#include "analyzer/flow/held_fields.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/flow/memory.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

/// `sub` numbers of the values that a fact renews in fields: this plus the field's number.
constexpr std::uint32_t kFirstRenewed = 0x20000000;
/// `sub` numbers of the parts of a tuple that it gets: this plus the part's index.
constexpr std::uint32_t kFirstReturned = 0x28000000;

/// An object that keeps the very module that the callee was given; false: it did not.
bool hold_given(Step& step, const Call& call, const FieldHeld& held, ObjectId id, FieldId field) {
  const Operand* operand = held.given ? argument(call, *held.given) : nullptr;
  const Value given = operand == nullptr ? Value{} : step.value(operand->value);
  Object* module = step.find(given.object);
  if (module == nullptr || module->kind != ObjectKind::kModule) return false;
  step.state.fields[{id, field}] = given;
  const bool together = step.device_of(id) == step.device_of(given.object);
  if (step.unit.fields[field].registered && together && !module->parent) module->parent = id;
  return true;
}

void put_in_field(Step& step, const Call& call, const FieldHeld& held, Device device, ObjectId id,
                  FieldId field) {
  if (device.kind == DeviceKind::kUnknown) return;
  Value value = field_value(step, id, field);
  if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
    value.device = device;
    step.state.fields[{id, field}] = value;
  } else if (Object* part = step.find(value.object)) {
    part->device = device;
    if (held.rank != Rank::kUnknown) part->rank = held.rank;
    part->placed = held.placed;
    part->placed_at = call.spot;
    if (part->kind != ObjectKind::kMemory) return;
    part->memory = held.memory;
    note_allocated(step, call, held, value.object);
  }
}

/// The key is that of a field of the object that has this name.
bool names_field(const Step& step, const FieldKey& key, ObjectId object, const std::string& name) {
  const auto& [whole, field] = key;
  return whole == object && step.unit.fields.has(field) && step.unit.fields[field].name == name;
}

/// Some other value is in the field, or in a part of what it holds.
void renew_field(Step& step, ClassId owner, const std::string& name, ObjectId object) {
  step.state.fields.erase_if(
      [&](const auto& entry) { return names_field(step, entry.first, object, name); });
  const std::optional<FieldId> field = field_named(step.unit, owner, name);
  step.events.field_stored(object, field.value_or(FieldId()));
  if (!field) return;
  const std::uint32_t number = kFirstRenewed + field->number();
  Value renewed = step.fresh(step.unit.fields[*field].type, number);
  if (renewed.kind == ValueKind::kNone) return;
  if (Object* part = step.find(renewed.object)) {
    if (part->kind == ObjectKind::kTensor) part->device = Device::unknown();
    find_by_field(step, renewed.object, *field);
  } else {
    renewed.device = step.told(number, Holder::field(*field));
  }
  step.state.fields[{object, *field}] = renewed;
}

}  // namespace

void hold_fields(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                 ClassId owner, ObjectId id) {
  for (const FieldHeld& held : fields) {
    const std::optional<FieldId> field = field_named(step.unit, owner, held.field);
    if (!field || hold_given(step, terms.call(), held, id, *field)) continue;
    // The field as it is found, and then where the callee put it.
    put_in_field(step, terms.call(), held, terms.substitute(held.device), id, *field);
  }
}

void hold_constructed(Step& step, Substitution& terms, const Summary& summary, ObjectId id) {
  const Function& callee = step.unit[terms.call().callee];
  if (callee.constructor) hold_fields(step, terms, summary.fields, callee.owner, id);
}

void hold_parts(Step& step, Substitution& terms, const std::map<std::uint32_t, Outcome>& parts,
                ObjectId tuple) {
  for (const auto& [index, outcome] : parts) {
    const Value part = terms.outcome(outcome, Role::kTensor, kFirstReturned + index);
    const Object* made = step.find(part.object);
    if (made != nullptr && made->device.kind != DeviceKind::kUnknown)
      step.state.fields[{tuple, element_field(index)}] = part;
  }
}

void change_fields(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                   const FieldsChanged& changed, ClassId owner, ObjectId object) {
  std::vector<std::tuple<const FieldHeld*, FieldId, Device>> left;
  for (const FieldHeld& held : fields) {
    if (held.given || !changed.has(held.field)) continue;
    if (const auto field = field_named(step.unit, owner, held.field))
      left.emplace_back(&held, *field, terms.substitute(held.device));
  }
  if (changed.all) {
    step.write(object);
    step.state.forget_fields(object);
    step.events.field_stored(object, FieldId());
  } else {
    for (const std::string& name : changed.names) renew_field(step, owner, name, object);
  }
  for (const auto& [held, field, device] : left)
    put_in_field(step, terms.call(), *held, device, object, field);
}

void share_changed(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                   const FieldsChanged& changed, ObjectId object) {
  std::vector<std::tuple<FieldId, ObjectId, Device>> parts;
  for (const FieldHeld& held : fields)
    for (const auto& [key, value] : step.state.fields)
      if (names_field(step, key, object, held.field))
        parts.emplace_back(key.second, value.object, terms.substitute(held.device));
  const Object* whole = step.find(object);
  const bool record = whole != nullptr && whole->kind == ObjectKind::kRecord;
  for (const auto& [field, id, left] : parts) {
    const Object* part = step.find(id);
    const bool list = part != nullptr && part->kind == ObjectKind::kList;
    const bool moved = part != nullptr && part->kind == ObjectKind::kModule &&
                       left.kind != DeviceKind::kUnknown &&
                       !changed.has(step.unit.fields[field].name);
    if (moved)
      set_device(step, id, left, Placed::kMoved, terms.call().spot);
    else if (list && !(left == step.device_of(id)))
      lose(step, id, ToldBy::kCallee);
    else
      share(step, id, ToldBy::kCallee);
    if (record) find_by_field(step, id, field);
  }
}

}  // namespace xfer::analyzer
