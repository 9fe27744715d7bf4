#include "analyzer/program/module_members.h"

#include <optional>

namespace xfer::analyzer {
namespace {

void add_moved(ClassId id, const Location& location, const Unit& unit,
               std::map<ClassId, Location>& moved) {
  const Class& known = unit[id];
  if (!id || known.library || !moved.try_emplace(id, location).second) return;
  for (const ClassId base : known.bases) add_moved(base, location, unit, moved);
  for (const FieldId id_of_field : known.fields) {
    const Field& field = unit.fields[id_of_field];
    if (field.type.role == Role::kModule && field.registered)
      add_moved(field.type.record, location, unit, moved);
  }
}

}  // namespace

std::map<ClassId, Location> all_moved(const ModuleMembers& members, const Unit& unit) {
  std::map<ClassId, Location> moved;
  for (const auto& [id, location] : members.moved) add_moved(id, location, unit, moved);
  return moved;
}

void export_members(const ModuleMembers& members, const Unit& unit, UnitSummaries& summaries) {
  for (const auto& [field, member] : members.members) {
    const Class& owner = unit[unit.fields[field].owner];
    if (!owner.key) continue;
    ClassUses& uses = summaries.classes[*owner.key];
    uses.members[member.name] = member.uses;
    if (!member.made_on_cpu) continue;
    uses.wanted = true;
    for (const FunctionId method : owner.elsewhere)
      if (!unit[method].link_name.empty()) summaries.calls.insert(unit[method].link_name);
  }
  // A member that one unit registers is a part of its module for all units.
  for (const ClassId id : members.classes)
    if (const std::optional<ClassKey>& key = unit[id].key)
      for (const FieldId field : unit[id].fields)
        if (unit.fields[field].registered)
          summaries.classes[*key].members[unit.fields[field].name].changed = true;
  for (const auto& [id, location] : all_moved(members, unit))
    if (const std::optional<ClassKey>& key = unit[id].key) summaries.classes[*key].moved = location;
}

void import_members(const SummarySet& others, const Unit& unit, ModuleMembers& members) {
  for (auto& [field, member] : members.members) {
    if (!member.made_on_cpu) continue;
    const ClassId id = unit.fields[field].owner;
    const Class& owner = unit[id];
    for (const FunctionId method : owner.elsewhere)
      if (others.find(unit[method].link_name) != nullptr) members.seen_elsewhere.insert(method);
    const ClassUses* uses = owner.key ? others.find(*owner.key) : nullptr;
    if (uses == nullptr) continue;
    if (const auto same = uses->members.find(member.name); same != uses->members.end())
      member.uses.add(same->second);
    if (uses->moved) members.moved.try_emplace(id, *uses->moved);
  }
}

void forget_members(UnitSummaries& summaries) {
  for (auto& [key, uses] : summaries.classes) {
    for (auto& [name, member] : uses.members) member.changed = true;
    uses.moved.reset();
  }
}

}  // namespace xfer::analyzer
