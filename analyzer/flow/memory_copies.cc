#include "analyzer/flow/memory_copies.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

/// The memory that a callee copies to or from; of no object: the callee's own, or not followed.
OperandView side_of(const Step& step, Substitution& terms, const SideWithin& side) {
  if (!side.memory) return {};
  const Operand* operand = argument(terms.call(), side.memory->parameter);
  const ObjectId id = terms.given(*side.memory).object;
  const Object* object = step.find(id);
  if (operand == nullptr || object == nullptr || object->kind != ObjectKind::kMemory) return {};
  OperandView view = step.view(*operand, id, operand->spot);
  view.path = side.memory->path;
  return view;
}

}  // namespace

void compare(const Step& step, MemoryCopyEvent& event) {
  const ObjectId to = event.to.id;
  const ObjectId from = event.from.id;
  const Object& target = event.to.object;
  const Object& source = event.from.object;
  event.changeable = step.from_outside(to) || step.from_outside(from);
  event.certain = to && from && to != from && !target.escaped && !source.escaped &&
                  (event.within == nullptr || event.within->first);
  if (!event.certain) return;
  const auto same = [&](const Copy& copy, bool mirrored) {
    return step.tables.amounts.same_part(copy.copy, event.copy, mirrored);
  };
  for (const Copy& copy : step.state.copies) {
    if (!copy.copy.call || copy.transfer == step.fact) continue;
    if (copy.source == from && copy.result == to && copy.source_version == source.version &&
        copy.result_version == target.version && same(copy, false))
      event.earlier = copy;
    if (copy.source == to && copy.result == from && copy.source_version == target.version &&
        copy.result_version == source.version && same(copy, true))
      event.away = copy;
  }
}

void keep(Step& step, const MemoryCopyEvent& event) {
  const Object* target = step.find(event.to.id);
  const Object* source = step.find(event.from.id);
  if (!event.certain || target == nullptr || source == nullptr) return;
  Copy copy{event.from.id,   source->version, target->device, event.to.id,
            target->version, step.fact,       true,           event.changeable,
            event.copy,      event.direction, event.rests_on};
  step.state.copies.push_back(std::move(copy));
}

std::vector<MemoryCopyEvent> copies_within(Step& step, Substitution& terms,
                                           const Summary& summary) {
  std::vector<MemoryCopyEvent> events;
  std::uint32_t number = 0;
  for (const CopyWithin& copy : summary.copies) {
    auto event = step.event<MemoryCopyEvent>(terms.call());
    event.copy = {step.facts.calls.id_of(terms.call()), ++number};
    event.within = &copy;
    event.direction = copy.direction;
    event.to = side_of(step, terms, copy.to);
    event.from = side_of(step, terms, copy.from);
    for (const FieldGiven& field : copy.fields)
      event.rests_on.push_back(terms.given(field.object).object);
    step.tables.amounts.note(event.copy, copy, event.rests_on);
    compare(step, event);
    step.events.memory_copy(event);
    events.push_back(std::move(event));
  }
  return events;
}

void keep_within(Step& step, Substitution& terms, const Summary& summary,
                 const std::vector<MemoryCopyEvent>& events) {
  std::vector<ObjectId> renumbered;
  for (const Given& object : summary.renumbered)
    if (const ObjectId id = terms.given(object).object) renumbered.push_back(id);
  for (const ObjectId id : renumbered) step.renumber(id);
  if (summary.renumbers_any) step.renumber({});
  for (const MemoryCopyEvent& event : events) {
    const bool same_numbers = std::ranges::none_of(event.rests_on, [&](ObjectId id) {
      return summary.renumbers_any || std::ranges::find(renumbered, id) != renumbered.end();
    });
    if (event.within->last && same_numbers) keep(step, event);
  }
}

}  // namespace xfer::analyzer
