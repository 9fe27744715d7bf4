#include "analyzer/program/summary_set.h"

#include <tuple>

namespace xfer::analyzer {
namespace {

bool before(const Location& a, const Location& b) {
  return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
}

}  // namespace

void MemberUses::add(const MemberUses& other) {
  changed |= other.changed;
  used_where_scalars_may_be &= other.used_where_scalars_may_be;
  // The first of them in the order of places, whoever comes first.
  if (other.used && (!used || before(other.use, use))) use = other.use;
  used |= other.used;
}

void ClassUses::add(const ClassUses& other) {
  for (const auto& [name, uses] : other.members) members[name].add(uses);
  if (other.moved && (!moved || before(*other.moved, *moved))) moved = other.moved;
}

void SummarySet::add(const UnitSummaries& unit) {
  for (const auto& [link_name, function] : unit.functions) {
    const auto [entry, added] = functions_.try_emplace(link_name, function.summary);
    // A summary that differs once stays unknown: no known summary equals the empty one.
    if (!added && !(entry->second == function.summary)) entry->second = Summary{};
  }
  for (const auto& [method, own] : unit.overriders)
    for (const auto& [name, summary] : own) {
      const auto [entry, added] = overriders_[method].try_emplace(name, summary);
      if (!added && !(entry->second == summary)) entry->second = Summary{};
    }
  for (const auto& [key, uses] : unit.classes) classes_[key].add(uses);
}

const Summary* SummarySet::find(const std::string& link_name) const {
  const auto entry = functions_.find(link_name);
  return entry == functions_.end() || !entry->second.known ? nullptr : &entry->second;
}

const std::map<std::string, Summary>* SummarySet::overriders(const std::string& method) const {
  const auto entry = overriders_.find(method);
  return entry == overriders_.end() ? nullptr : &entry->second;
}

const ClassUses* SummarySet::find(const ClassKey& key) const {
  const auto entry = classes_.find(key);
  return entry == classes_.end() ? nullptr : &entry->second;
}

}  // namespace xfer::analyzer
