#include "analyzer/program/unknowns.h"

#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/flow/events.h"
#include "analyzer/flow/source_text.h"

namespace xfer::analyzer {
namespace {

std::string name_of(const Unit& unit, const FunctionFacts& facts, PlaceId id) {
  const Place& place = facts.places[id];
  std::string name = place.root == kThisVariable ? "" : facts.variables[place.root].name;
  for (const FieldId field : place.fields)
    name += (name.empty() ? "" : ".") + unit.fields[field].name;
  return name.empty() ? "this" : name;
}

/// The variables that are given a value, in the block that makes it.
void add_targets(const Unit& unit, const FunctionFacts& facts, const Block& block, ValueId value,
                 std::vector<std::string>& names) {
  std::set<ValueId> values = {value};
  for (const Fact& fact : block.facts) {
    ValueId from;
    if (const auto* store = fact.as<fact::Store>()) {
      if (values.count(store->from) != 0) names.push_back(name_of(unit, facts, store->place));
    } else if (const auto* copy = fact.as<fact::Copy>()) {
      from = copy->from;
    } else if (const auto* part = fact.as<fact::PartOf>()) {
      from = part->tuple;
    } else if (const auto* element = fact.as<fact::ElementOf>()) {
      from = element->whole;
    }
    if (values.count(from) != 0 && fact.value) values.insert(fact.value);
  }
}

/// The variable that a value was read from.
void add_source(const Unit& unit, const FunctionFacts& facts, const Block& block, ValueId value,
                std::vector<std::string>& names) {
  for (const Fact& fact : block.facts)
    if (const auto* load = fact.as<fact::Load>(); load && fact.value == value && value)
      names.push_back(name_of(unit, facts, load->place));
}

std::vector<std::string> variables_of(const Unit& unit, const FunctionFacts& facts,
                                      const UnknownEvent& event) {
  std::vector<std::string> names;
  const Block& block = facts.blocks[event.block];
  const Fact& fact = *event.fact;
  if (fact.value) add_targets(unit, facts, block, fact.value, names);
  if (const auto* load = fact.as<fact::Load>(); load && load->place)
    names.push_back(name_of(unit, facts, load->place));
  if (const auto* lose = fact.as<fact::Lose>()) add_source(unit, facts, block, lose->what, names);
  if (const Call* made = call_of(facts, fact)) {
    const Call& call = *made;
    const auto add_lost = [&](const Operand& operand) {
      const bool lost = operand.pass == Pass::kMutable || operand.role == Role::kModule;
      if (lost && operand.role != Role::kNone && operand.place)
        names.push_back(name_of(unit, facts, operand.place));
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

void add_unknowns(const Unit& unit, const FunctionFacts& facts, const Events& events,
                  const SourceText& source, Unknowns& unknowns) {
  for (const UnknownEvent& event : events.unknown_events) {
    UnknownReason& reason = unknowns[event.reason];
    ++reason.count;
    const Call* call = call_of(facts, *event.fact);
    const SpotId spot = call == nullptr ? event.fact->spot : call->spot;
    const Location at = source.location(facts.spots[spot], facts.name);
    const std::vector<std::string> names = variables_of(unit, facts, event);
    if (names.empty()) reason.places.insert({at.file, at.line, {}});
    for (const std::string& name : names) reason.places.insert({at.file, at.line, name});
  }
}

}  // namespace xfer::analyzer
