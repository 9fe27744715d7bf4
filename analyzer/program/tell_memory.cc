#include "analyzer/program/tell_memory.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

constexpr std::size_t kMostCopies = 8;

/// The value that a caller gives and that the object is, or is in; none: there is none.
std::optional<Given> given(const Ended& of, ObjectId id) {
  Given result;
  const std::optional<std::string> path = of.terms.path_to(id, result.parameter);
  if (!path) return std::nullopt;
  result.path = *path;
  return result;
}

/// A field as one of those that the copy's sums name; none: it is of no object that callers give,
/// or may have changed since.
std::optional<std::uint32_t> number_of(const Ended& of, ObjectId object, const std::string& name,
                                       std::vector<FieldGiven>& fields) {
  const auto& changed = of.events.renumberings;
  if (object && (changed.contains(object) || changed.contains(ObjectId()))) return std::nullopt;
  std::optional<Given> owner = Given{kThisParameter, ""};
  if (object) owner = given(of, object);
  if (!owner) return std::nullopt;
  const FieldGiven field{*owner, name};
  auto known = std::ranges::find(fields, field);
  if (known == fields.end()) known = fields.insert(known, field);
  return kFirstFieldGiven + static_cast<std::uint32_t>(known - fields.begin());
}

/// Nothing has written to it since the function began.
bool is_as_given(const OperandView& memory) {
  return memory.id && memory.object.version == first_version(memory.id);
}

/// An event that is only recorded may be there to order the work of streams.
bool reads_clock(const Call& call) { return call.asks_time && !call.name.ends_with("EventRecord"); }

void tell_copy(const Ended& of, const MemoryCopyEvent& event, Summary& summary) {
  if (summary.copies.size() == kMostCopies || !of.graph.runs_if_loops_do(event.block)) return;
  CopyWithin copy;
  const auto in_sums = [&](ObjectId object, const std::string& name) {
    return number_of(of, object, name, copy.fields);
  };
  const Amounts::Part& part = of.amounts.part(event.copy);
  copy.size.bytes = of.amounts.by_parameters(part.bytes, in_sums);
  copy.to = {given(of, event.to.id), of.amounts.by_parameters(part.to, in_sums)};
  copy.from = {given(of, event.from.id), of.amounts.by_parameters(part.from, in_sums)};
  if (!copy.size.bytes || (!copy.to.memory && !copy.from.memory)) return;
  copy.size.measured = part.bytes.measured;
  copy.direction = event.direction;
  copy.first = event.certain && is_as_given(event.to) && is_as_given(event.from);
  copy.last = std::ranges::any_of(of.exit.copies,
                                  [&](const Copy& left) { return left.copy == event.copy; });
  copy.timed = (event.within != nullptr && event.within->timed) ||
               std::ranges::any_of(of.function.facts.calls, reads_clock);
  if (event.within != nullptr) {
    copy.size.element = event.within->size.element;
    copy.at = event.within->at;
    copy.what = event.within->what;
  } else {
    copy.size.element = event.call->size.element;
    copy.at = of.source.location(of.function.facts.spots[event.call->callee_spot],
                                 of.function.facts.name);
    copy.what = "`" + event.call->name + "`";
  }
  summary.copies.push_back(std::move(copy));
}

}  // namespace

void tell_memory(const Ended& of, Summary& summary) {
  for (const auto* events : {&of.events.memory_copy_events, &of.events.copies_within})
    for (const MemoryCopyEvent& event : *events) tell_copy(of, event, summary);
  for (const auto& [id, blocks] : of.events.renumberings) {
    const std::optional<Given> object = given(of, id);
    if (object)
      summary.renumbered.insert(*object);
    else if (of.function.origins[id].origin != Origin::kFact)
      summary.renumbers_any = true;
  }
  for (const FreeEvent& event : of.events.free_events)
    if (const auto memory = given(of, event.id); memory && of.graph.runs_if_loops_do(event.block))
      summary.frees.insert(*memory);
}

}  // namespace xfer::analyzer
