#include "analyzer/program/memory_left.h"

namespace xfer::analyzer {

Allocated MemoryLeft::of(ObjectId memory, const Object& object) const {
  return {object.memory, size_of(memory), is_untouched(memory, object)};
}

SizeWithin MemoryLeft::size_of(ObjectId memory) const {
  if (const auto room = amounts_.rooms.find(memory); room != amounts_.rooms.end()) {
    const Formula bytes = amounts_.bytes(room->second);
    return {amounts_.by_parameters(bytes), bytes.measured, room->second.size.element};
  }
  const Call* call = allocation(memory);
  if (call == nullptr) return {};
  const Formula bytes = amounts_.bytes(function_.facts.calls.id_of(*call));
  return {amounts_.by_parameters(bytes), bytes.measured, call->size.element};
}

bool MemoryLeft::is_untouched(ObjectId memory, const Object& object) const {
  if (object.escaped || object.freed || object.version != first_version(memory) ||
      object.alias != memory)
    return false;
  if (const auto room = amounts_.rooms.find(memory); room != amounts_.rooms.end())
    return room->second.untouched;
  const Call* call = allocation(memory);
  return call != nullptr && !call->model->asynchronous &&
         (call->model->result != Placement::kCpu || call->model->pins);
}

const Call* MemoryLeft::allocation(ObjectId memory) const {
  const OriginTable::Entry& origin = function_.origins[memory];
  if (origin.origin != Origin::kFact) return nullptr;
  const Fact* fact = flow_.numbers().fact(origin.fact());
  const Call* call = fact == nullptr ? nullptr : call_of(function_.facts, *fact);
  const bool allocates =
      call != nullptr && call->model != nullptr && call->model->kind == CallKind::kAllocate;
  return allocates ? call : nullptr;
}

}  // namespace xfer::analyzer
