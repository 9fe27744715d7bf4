#include "analyzer/flow/held_fields.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/flow/sharing.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

/// An object that keeps the very module that its constructor was given; false: it did not.
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
    part->rank = held.rank;
    part->placed = held.placed;
    part->where = call.spot;
  }
}

}  // namespace

void hold_fields(Step& step, Substitution& terms, const Summary& summary, ObjectId id) {
  const Function& constructor = step.unit[terms.call().callee];
  if (!constructor.constructor) return;
  for (const FieldHeld& held : summary.fields) {
    const std::optional<FieldId> field = field_named(step.unit, constructor.owner, held.field);
    if (!field || hold_given(step, terms.call(), held, id, *field)) continue;
    // The field as it is found, and then where the constructor put it.
    put_in_field(step, terms.call(), held, terms.substitute(held.where), id, *field);
  }
}

void change_fields(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                   ClassId owner, ObjectId object) {
  std::vector<std::tuple<const FieldHeld*, FieldId, Device>> left;
  for (const FieldHeld& held : fields) {
    if (held.given) continue;
    if (const auto field = field_named(step.unit, owner, held.field))
      left.emplace_back(&held, *field, terms.substitute(held.where));
  }
  step.write(object);
  step.state.forget_fields(object);
  step.events.field_stored(object);
  for (const auto& [held, field, device] : left)
    put_in_field(step, terms.call(), *held, device, object, field);
}

void share_changed(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                   ObjectId object) {
  std::vector<std::tuple<FieldId, ObjectId, Device>> changed;
  for (const FieldHeld& held : fields)
    for (const auto& [key, value] : step.state.fields)
      if (key.first == object && step.unit.fields.has(key.second) &&
          step.unit.fields[key.second].name == held.field)
        changed.emplace_back(key.second, value.object, terms.substitute(held.where));
  const Object* whole = step.find(object);
  const bool record = whole != nullptr && whole->kind == ObjectKind::kRecord;
  for (const auto& [field, id, left] : changed) {
    const Object* part = step.find(id);
    const bool list = part != nullptr && part->kind == ObjectKind::kList;
    if (list && !(left == step.device_of(id)))
      lose(step, id, ToldBy::kCallee);
    else
      share(step, id, ToldBy::kCallee);
    if (record) find_by_field(step, id, field);
  }
}

}  // namespace xfer::analyzer
