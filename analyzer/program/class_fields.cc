// Fields that keep what their constructors gave them: where they are in every method.

#include "analyzer/program/class_fields.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

bool may_cuda(const DeviceTerm& term) {
  return term.kind == DeviceTerm::Kind::kParameter ||
         (term.kind == DeviceTerm::Kind::kDevice && term.device.is_cuda()) ||
         (term.kind == DeviceTerm::Kind::kChoice && term.may_cuda);
}

}  // namespace

const FieldHeld* find(const Summary& summary, const Field& field) {
  const auto held = std::ranges::find(summary.fields, field.name, &FieldHeld::field);
  return held == summary.fields.end() ? nullptr : &*held;
}

const SettledField* ClassFields::settled(FieldId field) {
  const ClassId owner = unit_.fields[field].owner;
  if (!owner || unit_[owner].library) return nullptr;
  auto known = settled_.find(owner);
  if (known == settled_.end()) {
    // While a constructor is being analysed, nothing is settled for what it calls.
    if (constructing(unit_[owner])) return nullptr;
    std::vector<SettledField> fields = settle(unit_[owner]);
    known = settled_.try_emplace(owner, std::move(fields)).first;
  }
  for (const SettledField& settled : known->second)
    if (settled.field == field) return &settled;
  return kept(field);
}

bool ClassFields::constructing(const Class& known) const {
  return std::ranges::any_of(known.constructors, [&](FunctionId constructor) {
    return summaries_.in_progress(constructor);
  });
}

Strict ClassFields::strict(FieldId field) {
  const Class& owner = unit_[unit_.fields[field].owner];
  if (owner.library || constructing(owner) || !owner.every_body_here ||
      unit_.fields[field].changes.replaced)
    return Strict::kUnknown;
  const std::string& name = unit_.fields[field].name;
  bool strict = false;
  for (const FunctionId constructor : owner.constructors) {
    if (unit_[constructor].copies || unit_[constructor].made_of_nothing) continue;
    const Summary& made = summaries_.summary_of(constructor);
    // One without parameters makes a module that is yet to be given another's value.
    if (unit_[constructor].declared == 0 && std::ranges::count(made.empty_fields, name) != 0)
      continue;
    strict = std::ranges::count(made.strict_fields, name) != 0;
    if (!strict) break;
  }
  return strict ? Strict::kYes : Strict::kUnknown;
}

std::vector<SettledField> ClassFields::settle(const Class& known) {
  std::vector<const Summary*> constructors;
  for (const FunctionId constructor : known.constructors) {
    if (unit_[constructor].copies) continue;
    if (unit_[constructor].made_of_nothing) return {};
    const Summary& made = summaries_.summary_of(constructor);
    if (!made.known) return {};
    constructors.push_back(&made);
  }
  if (constructors.empty() || !known.every_body_here) return {};
  const auto always = [&](auto&& holds) { return std::ranges::all_of(constructors, holds); };

  // Devices first: other fields are told by them.
  std::vector<FieldId> fields;
  for (const FieldId id : known.fields) {
    const Field& field = unit_.fields[id];
    if (field.changes.none() && !field.open && field.type.role != Role::kNone &&
        always([&](const Summary* made) { return find(*made, field) != nullptr; }))
      fields.push_back(id);
  }
  std::ranges::stable_partition(
      fields, [&](FieldId field) { return unit_.fields[field].type.role == Role::kDevice; });

  std::vector<SettledField> settled;
  for (const FieldId id : fields) {
    const Field& field = unit_.fields[id];
    SettledField entry;
    entry.field = entry.as = id;
    entry.rank = find(*constructors.front(), field)->rank;
    if (!always([&](const Summary* made) { return find(*made, field)->rank == entry.rank; }))
      entry.rank = Rank::kUnknown;
    const DeviceTerm& first = find(*constructors.front(), field)->device;
    if (first.kind == DeviceTerm::Kind::kDevice &&
        always([&](const Summary* made) { return find(*made, field)->device == first; }))
      entry.device = first.device;
    // unregistered-tensor judges values that a module leaves on the CPU unregistered.
    if (entry.device && entry.device->is_cpu() && known.module) continue;
    entry.may_cuda = std::ranges::any_of(
        constructors, [&](const Summary* made) { return may_cuda(find(*made, field)->device); });
    for (const SettledField& before : settled)
      if (always([&](const Summary* made) {
            return find(*made, unit_.fields[before.field])->device == find(*made, field)->device;
          })) {
        entry.as = before.as;
        break;
      }
    // A field that constructors put on different devices has no known device.
    const bool told = entry.device || entry.as != entry.field || constructors.size() == 1;
    if (told || field.type.role == Role::kDevice) settled.push_back(entry);
  }
  return settled;
}

}  // namespace xfer::analyzer
