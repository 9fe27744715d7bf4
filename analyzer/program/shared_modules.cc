#include "analyzer/program/shared_modules.h"

namespace xfer::analyzer {

SharedModules::SharedModules(const FunctionView& function, const Events& events, const State& exit)
    : function_(function) {
  for (const HandedEvent& event : events.handed_events)
    if (event.kept && event.value.object) add(event.value.object, event.object, event.to);
  if (const Value* returned = exit.variables.find(kReturnVariable))
    if (const Object* object = exit.objects.find(returned->object))
      add(returned->object, *object, Holder::result(function.facts.function));
  std::erase_if(holders_, [&](const auto& entry) {
    // Others also hold a module that a lambda captured.
    const Holder& first = *entry.second.begin();
    const bool captured = first.kind == Holder::Kind::kParameter &&
                          function.unit[first.function].lambda &&
                          first.number >= function.unit[first.function].declared;
    return entry.second.size() < 2 && !captured;
  });
}

void SharedModules::add(ObjectId id, const Object& object, const Holder& holder) {
  if (object.kind != ObjectKind::kModule) return;
  std::set<Holder>& holders = holders_[id];
  holders.insert(holder);
  if (const std::optional<Holder> first = before(id, object)) holders.insert(*first);
}

/// The holder that had it before: the one whose value it is.
std::optional<Holder> SharedModules::before(ObjectId id, const Object& object) const {
  const OriginTable::Entry& origin = function_.origins[id];
  switch (origin.origin) {
    case Origin::kField:
      if (function_.unit.fields.has(origin.field())) return Holder::field(origin.field());
      return std::nullopt;
    case Origin::kParameter: return Holder::parameter(function_.facts.function, origin.a);
    case Origin::kGlobal:
    case Origin::kFact: break;
    default: return std::nullopt;
  }
  // One that was moved is where a device says, which others hold.
  if (!object.device.is_symbol() || object.placed == Placed::kMoved) return std::nullopt;
  return function_.symbols[object.device.symbol].held;
}

}  // namespace xfer::analyzer
