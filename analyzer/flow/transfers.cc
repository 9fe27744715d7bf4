#include "analyzer/flow/transfers.h"

#include "analyzer/flow/data.h"

namespace xfer::analyzer {

Value apply_transfer(Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  const ObjectId source = call.has_receiver ? step.object_of(call.receiver) : ObjectId();
  const Object* found = step.find(source);
  if (found == nullptr) return step.fresh(call.result, 0);
  const Device from = step.device_of(source);
  std::optional<Device> given = device_argument(step, call, true);
  if (model.result == Placement::kCpu) given = Device::cpu();
  if (model.result == Placement::kCuda && !given) given = step.state.current;
  const Device to = given.value_or(from);
  const bool converts = call.converts || !given;
  // `to` where the tensor already is returns the tensor.
  if (relate(from, to) == Relation::kSame && !converts && !call.forces_copy)
    return Value::of(source);

  Object made;
  made.device = to;
  made.rank = given ? without_holder(found->rank) : found->rank;
  made.placed = given ? Placed::kMoved : found->placed;
  made.placed_at = given ? call.spot : found->placed_at;
  const bool surely = relate(from, to) == Relation::kDifferent;
  const bool maybe = (from.is_cpu() && step.symbols.meant_for_cuda(to)) ||
                     (step.symbols.meant_for_cuda(from) && to.is_cpu());
  const bool certain =
      given.has_value() && (surely || maybe) && relate(from, to) != Relation::kSame;
  // Only the caller knows whether it is a copy; the same call again makes none that is needed.
  // Code that copies to the CPU by name expects CUDA, unless the device is always the CPU here; a
  // variable that holds the CPU means a program that runs there alone.
  const bool always_cpu =
      from.is_symbol() && step.symbols[from.symbol].of_device && !step.symbols.may_be_cuda(from);
  const bool to_cpu_by_name = to.is_cpu() && (call.names_cpu || model.result == Placement::kCpu);
  const bool perhaps = given.has_value() && !certain && relate(from, to) == Relation::kUnsure &&
                       (step.symbols.may_be_cuda(to) || (to_cpu_by_name && !always_cpu));
  const bool changeable = (perhaps || to.is_cpu()) && step.from_outside(source);
  if (!surely) made.alias = found->alias;
  if (!converts && (certain || (perhaps && to.is_cpu()))) {
    made.source = source;
    made.source_version = found->version;
    made.source_device = from;
    made.transfer = step.fact;
  }
  const bool to_host = to.is_cpu() && step.symbols.may_be_cuda(from);
  describe_transfer(step, call, *found, to_host, made);
  if (to_host && !call.non_blocking) {
    Object awaited = *found;
    awaited.device = from;
    step.tell(DataUse::kWait, call, call.receiver, awaited);
    step.waited();
    found = step.find(source);
  }
  const Object source_object = *found;
  if (!given) step.events.computed(step.id_of_result(), {source, step.fact, source_object.element});
  if (call.non_blocking && found->memory == Memory::kPinned && step.symbols.may_be_cuda(to))
    for (auto& [key, other] : step.state.objects)
      if (key == source || other.alias == source_object.alias) other.leaving = step.fact;
  Copy copy{source, found->version, to, {}, {}, step.fact, false, changeable};
  std::optional<Copy> earlier;
  for (const Copy& other : step.state.copies) {
    if (other.source != source || other.source_version != copy.source_version ||
        !(other.device == to) || other.transfer == step.fact)
      continue;
    const Object* result = step.find(other.result);
    if (result != nullptr && result->version != other.result_version) continue;
    earlier = other;
  }
  auto event = step.event<TransferEvent>(call);
  event.source = source;
  event.source_object = source_object;
  event.source_object.device = from;
  event.device = to;
  event.given = given.has_value();
  event.result_element = made.element;
  event.crosses = certain;
  event.certain = certain && !source_object.escaped;
  event.perhaps = perhaps && !source_object.escaped;
  event.changeable = changeable;
  event.earlier = earlier;
  event.earlier_held = earlier && step.state.holds(earlier->result);
  if (earlier)
    for (const auto& [variable, held] : step.state.variables)
      if (held.object == earlier->result && step.facts.variables.has(variable))
        event.earlier_variable = variable;
  if (source_object.source) {
    if (const Object* origin = step.find(source_object.source)) {
      event.origin = *origin;
      event.origin_known = true;
      event.origin_held = step.state.holds(source_object.source);
    }
  }
  event.result = step.id_of_result();
  step.events.transfer(event);
  const bool remember = (certain || perhaps) && !call.forces_copy && !source_object.escaped;
  const ObjectId id = step.make(0, made);
  if (remember) {
    copy.result = id;
    copy.result_version = step.find(id)->version;
    step.state.copies.push_back(copy);
  }
  return Value::of(id);
}

}  // namespace xfer::analyzer
