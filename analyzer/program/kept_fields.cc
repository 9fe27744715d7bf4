// Modules that every method which changes them, or the device that their class has for them, leaves
// on that device: `load()` makes the model and moves it, `predict()` finds it there.

#include <algorithm>

#include "analyzer/program/class_fields.h"

namespace xfer::analyzer {
namespace {

/// At the end of a method the module is where the device says.
bool agree(const Summary& end, const Field& module, const Field& device) {
  const FieldHeld* held = find(end, module);
  const FieldHeld* said = find(end, device);
  if (held == nullptr) return said == nullptr;
  if (held->device.kind == DeviceTerm::Kind::kUnknown) return false;
  if (said != nullptr) return held->device == said->device;
  const DeviceTerm& term = held->device;
  return term.kind == DeviceTerm::Kind::kParameter && term.parameter == kThisParameter &&
         term.path == device.name;
}

}  // namespace

/// All that may change the field is in this unit.
bool ClassFields::seen(FieldId id) const {
  const Field& field = unit_.fields[id];
  return !field.open && unit_[field.owner].every_body_here && !field.changes.otherwise;
}

/// A function that says where the field is has not been analysed to its end.
bool ClassFields::decided_now(FieldId id) const {
  const Field& field = unit_.fields[id];
  const auto open = [&](FunctionId function) { return summaries_.in_progress(function); };
  return std::ranges::any_of(field.changes.methods, open) || constructing(unit_[field.owner]);
}

/// The values that constructors and methods leave there pass; those of constructors also where they
/// need not say them.
bool ClassFields::all_leave(FieldId module, const std::vector<FunctionId>& methods,
                            const Passes& passes) {
  const Field& field = unit_.fields[module];
  if (field.changes.constructed || !field.starts_empty) {
    const std::vector<FunctionId>& constructors = unit_[field.owner].constructors;
    if (constructors.empty()) return false;
    for (const FunctionId constructor : constructors) {
      if (unit_[constructor].copies) continue;
      const Summary& made = summaries_.summary_of(constructor);
      if (!made.known || !passes(made, true)) return false;
    }
  }
  return std::ranges::all_of(methods, [&](FunctionId method) {
    const Summary& end = summaries_.summary_of(method);
    return end.known && passes(end, false);
  });
}

bool ClassFields::keeps(FieldId module_id, FieldId device_id) {
  const Field& module = unit_.fields[module_id];
  const Field& device = unit_.fields[device_id];
  std::vector<FunctionId> methods;
  std::ranges::set_union(module.changes.methods, device.changes.methods,
                         std::back_inserter(methods));
  return all_leave(module_id, methods, [&](const Summary& end, bool constructor) {
    if (!constructor) return agree(end, module, device);
    const FieldHeld* held = find(end, module);
    const FieldHeld* said = find(end, device);
    return held != nullptr && said != nullptr && held->device == said->device;
  });
}

/// The CUDA device that all who change the module leave it on; none: another place, or several.
std::optional<Device> ClassFields::always_on(FieldId module) {
  const Field& field = unit_.fields[module];
  std::optional<Device> place;
  const bool one =
      all_leave(module, field.changes.methods, [&](const Summary& end, bool constructor) {
        const FieldHeld* held = find(end, field);
        if (held == nullptr) return !constructor;
        if (held->device.kind != DeviceTerm::Kind::kDevice ||
            (place && !(*place == held->device.device)))
          return false;
        place = held->device.device;
        return true;
      });
  return one && place && place->is_cuda() ? place : std::nullopt;
}

/// Null: the module may be anywhere, or one of those that decide is being analysed.
const SettledField* ClassFields::kept(FieldId module) {
  const Field& field = unit_.fields[module];
  if (field.type.role != Role::kModule) return nullptr;
  if (const auto known = kept_.find(module); known != kept_.end())
    return known->second ? &*known->second : nullptr;
  std::optional<SettledField> entry;
  const bool candidate = seen(module) && !field.changes.methods.empty();
  for (const FieldId device : unit_[field.owner].fields) {
    if (!candidate || unit_.fields[device].type.role != Role::kDevice || !seen(device)) continue;
    if (decided_now(module) || decided_now(device)) return nullptr;
    if (!keeps(module, device)) continue;
    entry.emplace();
    entry->field = module;
    entry->as = device;
    entry->changes = true;
    break;
  }
  if (candidate && !entry) {
    if (decided_now(module)) return nullptr;
    if (const std::optional<Device> place = always_on(module)) {
      entry.emplace();
      entry->field = entry->as = module;
      entry->device = place;
      entry->may_cuda = entry->changes = true;
    }
  }
  const std::optional<SettledField>& result = kept_[module] = entry;
  return result ? &*result : nullptr;
}

}  // namespace xfer::analyzer
