#include "analyzer/program/fields_left.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/flow/join.h"

namespace xfer::analyzer {

Device device_of_whole(const State& at, ObjectId id, unsigned depth) {
  const Object* object = at.objects.find(id);
  if (object == nullptr || depth > 4) return Device::unknown();
  const bool parts = object->kind == ObjectKind::kRecord || object->kind == ObjectKind::kTuple;
  if (!parts) return at.device_of(id);
  // Some part may never have been looked at.
  Device joined = Device::bottom();
  for (const auto& [key, part] : at.fields)
    if (key.first == id && part.object)
      joined = join(joined, device_of_whole(at, part.object, depth + 1));
  joined = join(joined, object->device);
  return joined.kind == DeviceKind::kBottom ? Device::unknown() : joined;
}

std::vector<FieldHeld> FieldsLeft::fields_of(ObjectId self,
                                             std::optional<std::uint32_t> number) const {
  std::vector<FieldHeld> fields;
  const bool made_here = function_.facts.is_constructor && number == kThisParameter;
  for (const auto& [key, value] : exit_.fields) {
    if (key.first != self || !function_.unit.fields.has(key.second)) continue;
    FieldHeld held;
    held.field = function_.unit.fields[key.second].name;
    if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
      held.device = terms_.of(value.device);
    } else if (const Object* object = exit_.objects.find(value.object)) {
      if (object->parent == self) continue;  // it is where the module is
      if (held_by_others(key, value.object)) {
        if (!made_here) fields.push_back(std::move(held));
        continue;
      }
      held.device = terms_.of(device_of_whole(exit_, value.object));
      // unregistered-tensor judges values that a module leaves on the CPU unregistered.
      const bool left =
          held.device.kind == DeviceTerm::Kind::kDevice && held.device.device.is_cpu();
      if (left && made_here && exit_.objects.find(self)->kind == ObjectKind::kModule) continue;
      held.rank = without_holder(object->rank);
      held.placed = object->placed;
      if (object->kind == ObjectKind::kMemory)
        static_cast<Allocated&>(held) = memory_.of(value.object, *object);
      const OriginTable::Entry& entry = function_.origins[value.object];
      if (object->kind == ObjectKind::kModule && entry.origin == Origin::kParameter &&
          entry.a < function_.facts.parameters.size())
        held.given = entry.a;
    }
    const bool as_found = number && held.device.of_caller() && held.device.parameter == *number &&
                          held.device.path == held.field;
    const bool told =
        made_here ? held.given || held.device.kind != DeviceTerm::Kind::kUnknown : !as_found;
    if (told) fields.push_back(std::move(held));
  }
  return fields;
}

/// A module that others hold as well, who may move it.
bool FieldsLeft::held_by_others(std::pair<ObjectId, FieldId> by, ObjectId id) const {
  const Object* object = exit_.objects.find(id);
  if (object == nullptr || object->kind != ObjectKind::kModule) return false;
  return object->escaped ||
         std::any_of(exit_.fields.begin(), exit_.fields.end(), [&](const auto& entry) {
           return entry.second.object == id && entry.first != by;
         });
}

ObjectLeft FieldsLeft::object(std::uint32_t number, ObjectId id, bool escapes) const {
  ObjectLeft left;
  const VariableId parameter = function_.facts.parameters[number];
  const bool record = function_.facts.variables[parameter].type.role == Role::kRecord;
  if (!record || escapes || !stays(parameter, id)) return left;
  left.told = true;
  left.changed = changed(number, id);
  left.fields = fields_of(id, number);
  return left;
}

bool FieldsLeft::stays(VariableId variable, ObjectId whole) const {
  const auto same = [&](const State* end) {
    const Value* held = end->variables.find(variable);
    return held == nullptr || held->object == whole;
  };
  return function_.facts.variables[variable].tracked && std::ranges::all_of(flow_.ends(), same);
}

FieldsChanged FieldsLeft::changed(std::uint32_t number, ObjectId whole) const {
  FieldsChanged changed;
  const bool method =
      number == kThisParameter && function_.facts.variables[kThisVariable].type.role != Role::kNone;
  changed.all = events_.writes.count(whole) != 0 || (method && !stays(kThisVariable, whole));
  const auto add = [&](const std::string& path) {
    if (path.empty())
      changed.all = true;
    else
      changed.names.insert(path.substr(0, path.find('.')));
  };
  const auto path_of = [&](ObjectId id) {
    std::uint32_t parameter = 0;
    const std::optional<std::string> path = terms_.path_to(id, parameter);
    return parameter == number ? path : std::nullopt;
  };
  for (const auto& [id, field] : events_.field_stores)
    if (const std::optional<std::string> path = path_of(id))
      add(!path->empty() || !function_.unit.fields.has(field) ? *path
                                                              : function_.unit.fields[field].name);
  for (const ObjectId id : events_.lost_objects) {
    const Object* object = exit_.objects.find(id);
    if (object != nullptr && object->kind == ObjectKind::kModule) continue;
    if (const std::optional<std::string> path = path_of(id)) add(*path);
  }
  return changed;
}

}  // namespace xfer::analyzer
