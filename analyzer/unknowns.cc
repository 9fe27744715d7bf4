#include "analyzer/unknowns.h"

#include <algorithm>
#include <vector>

#include "analyzer/events.h"
#include "analyzer/source_text.h"

namespace xfer::analyzer {
namespace {

std::string name_of(const FunctionFacts& facts, PlaceId id) {
  const Place& place = facts.places[id];
  std::string name = place.root == kThisVariable ? "" : facts.variables[place.root].name;
  for (const FieldId field : place.fields)
    name += (name.empty() ? "" : ".") + facts.fields[field].name;
  return name.empty() ? "this" : name;
}

/// The variables that are given a value, in the block that makes it.
void add_targets(const FunctionFacts& facts, const Block& block, ValueId value,
                 std::vector<std::string>& names) {
  std::set<ValueId> values = {value};
  for (const Fact& fact : block.facts) {
    const bool takes = std::any_of(fact.operands.begin(), fact.operands.end(),
                                   [&](ValueId operand) { return values.count(operand) != 0; });
    if (!takes) continue;
    if (fact.kind == FactKind::kStore) names.push_back(name_of(facts, fact.place));
    const bool hands_on = fact.kind == FactKind::kPass || fact.kind == FactKind::kTupleElement ||
                          fact.kind == FactKind::kElement;
    if (hands_on && fact.value != 0) values.insert(fact.value);
  }
}

/// The variable that a value was read from.
void add_source(const FunctionFacts& facts, const Block& block, ValueId value,
                std::vector<std::string>& names) {
  for (const Fact& fact : block.facts)
    if (fact.kind == FactKind::kLoad && fact.value == value && value != 0)
      names.push_back(name_of(facts, fact.place));
}

std::vector<std::string> variables_of(const FunctionFacts& facts, const UnknownEvent& event) {
  std::vector<std::string> names;
  const Block& block = facts.blocks[event.block];
  const Fact& fact = *event.fact;
  if (fact.value != 0) add_targets(facts, block, fact.value, names);
  if (fact.kind == FactKind::kLoad && fact.place != 0) names.push_back(name_of(facts, fact.place));
  if (fact.kind == FactKind::kLose) add_source(facts, block, fact.operands.front(), names);
  if (fact.kind == FactKind::kCall) {
    const Call& call = facts.calls[fact.call];
    const auto add_lost = [&](const Operand& operand) {
      const bool lost = operand.pass == Pass::kMutable || operand.role == Role::kModule;
      if (lost && operand.role != Role::kNone && operand.place != 0)
        names.push_back(name_of(facts, operand.place));
    };
    if (!call.library) {
      if (call.has_receiver) add_lost(call.receiver);
      for (const Operand& operand : call.arguments) add_lost(operand);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

void add_unknowns(const FunctionFacts& facts, const Events& events, const SourceText& source,
                  Unknowns& unknowns) {
  for (const UnknownEvent& event : events.unknown_events) {
    UnknownReason& reason = unknowns[event.reason];
    ++reason.count;
    const SpotId spot =
        event.fact->kind == FactKind::kCall ? facts.calls[event.fact->call].spot : event.fact->spot;
    const Location at = source.location(facts.spots[spot], facts.name);
    const std::vector<std::string> names = variables_of(facts, event);
    if (names.empty()) reason.places.insert({at.file, at.line, {}});
    for (const std::string& name : names) reason.places.insert({at.file, at.line, name});
  }
}

}  // namespace xfer::analyzer
