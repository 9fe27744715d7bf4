#include "analyzer/program/overriders.h"

#include <algorithm>
#include <iterator>

namespace xfer::analyzer {
namespace {

/// A choice that a parameter decides is unknown: callers do not know which method it belongs to.
DeviceTerm settled(DeviceTerm term, const Summary& summary) {
  if (term.kind == DeviceTerm::Kind::kChoice && !summary.deciding.empty()) return {};
  return term;
}

DeviceTerm either(const DeviceTerm& one, const DeviceTerm& other) {
  return one == other ? one : DeviceTerm{};
}

Outcome settled(Outcome outcome, const Summary& summary) {
  outcome.device = settled(outcome.device, summary);
  return outcome;
}

Outcome either(const Outcome& one, const Outcome& other) {
  if (one == other) return one;
  Outcome common;
  common.known = one.known && other.known;
  common.may_alias = true;
  if (one.rank == other.rank) common.rank = one.rank;
  if (one.device == other.device && one.same_object == other.same_object &&
      (!one.same_object || (one.parameter == other.parameter && one.path == other.path))) {
    common = one;
    common.may_alias = one.may_alias || other.may_alias;
    common.or_unchanged = one.or_unchanged || other.or_unchanged;
    if (one.rank != other.rank) common.rank = Rank::kUnknown;
    if (one.placed != other.placed) common.placed = Placed::kUnknown;
    if (one.strict != other.strict) common.strict = Strict::kUnknown;
    if (one.memory != other.memory) common.memory = Memory::kUnknown;
    if (one.size != other.size) common.size = {};
    common.untouched = one.untouched && other.untouched;
  }
  return common;
}

/// Of a reference parameter: one method may leave it as it is.
Outcome either_left(Outcome one, Outcome other, std::uint32_t parameter) {
  const auto unchanged = [&](const Outcome& outcome) {
    return outcome.same_object && outcome.parameter == parameter && outcome.path.empty();
  };
  if (unchanged(one) == unchanged(other)) return either(one, other);
  Outcome& changed = unchanged(one) ? other : one;
  changed.or_unchanged = true;
  return changed;
}

template <class T, class Join>
std::vector<T> each(const std::vector<T>& one, const std::vector<T>& other, Join join) {
  std::vector<T> all;
  for (std::size_t index = 0; index < std::min(one.size(), other.size()); ++index)
    all.push_back(join(one[index], other[index], static_cast<std::uint32_t>(index)));
  return all;
}

}  // namespace

Summary either(const Summary& one, const Summary& other) {
  Summary common;
  common.known = one.known && other.known;
  if (!common.known) return common;
  common.result = either(settled(one.result, one), settled(other.result, other));
  common.references = each(one.references, other.references,
                           [&](const Outcome& a, const Outcome& b, std::uint32_t parameter) {
                             return either_left(settled(a, one), settled(b, other), parameter);
                           });
  common.modules = each(one.modules, other.modules,
                        [&](const DeviceTerm& a, const DeviceTerm& b, std::uint32_t) {
                          return either(settled(a, one), settled(b, other));
                        });
  common.filled = each(one.filled, other.filled, [](Strict a, Strict b, std::uint32_t) {
    return a == b ? a : Strict::kUnknown;
  });
  common.objects =
      each(one.objects, other.objects, [](const ObjectLeft& a, const ObjectLeft& b, std::uint32_t) {
        return a == b ? a : ObjectLeft{};
      });
  const auto any = [](bool a, bool b, std::uint32_t) { return a || b; };
  common.written = each(one.written, other.written, any);
  common.escapes = each(one.escapes, other.escapes, any);
  common.self = either(settled(one.self, one), settled(other.self, other));
  if (one.parts == other.parts)
    common.parts = one.parts;
  else
    common.self = DeviceTerm{};
  common.changed = one.changed;
  common.changed.add(other.changed);
  common.changed.all |= one.fields != other.fields;
  if (one.fields == other.fields) common.fields = one.fields;
  common.unknown_calls = one.unknown_calls || other.unknown_calls;
  common.may_wait = one.may_wait || other.may_wait;
  common.writes_outside = one.writes_outside || other.writes_outside;
  common.writes_everything = one.writes_everything || other.writes_everything;
  common.writes_behind = one.writes_behind || other.writes_behind;
  common.renumbered = one.renumbered;
  common.renumbered.insert(other.renumbered.begin(), other.renumbered.end());
  common.renumbers_any = one.renumbers_any || other.renumbers_any;
  std::ranges::set_intersection(one.frees, other.frees,
                                std::inserter(common.frees, common.frees.end()));
  for (const CopyWithin& copy : one.copies)
    if (std::ranges::find(other.copies, copy) != other.copies.end()) common.copies.push_back(copy);
  for (const Need& need : one.needs)
    if (std::ranges::find(other.needs, need) != other.needs.end()) common.needs.push_back(need);
  return common;
}

}  // namespace xfer::analyzer
