// Transfers: what they return, of what it is a copy, and whether the same copy is there already.

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

Value Interpreter::apply_transfer(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  const ObjectId source = call.has_receiver ? object_of(call.receiver, state) : 0;
  const Object* found = state.objects.find(source);
  if (found == nullptr) return fresh(call.result, state, 0);
  const Device from = state.device_of(source);
  std::optional<Device> given = device_argument(call, state, true);
  if (model.result == Placement::kCpu) given = Device::cpu();
  if (model.result == Placement::kCuda && !given) given = Device::cuda(Device::kCurrent);
  const Device to = given.value_or(from);
  const bool converts = call.converts || !given;
  // `to` where the tensor already is returns the tensor.
  if (relate(from, to) == Relation::kSame && !converts && !call.forces_copy)
    return Value::of(source);

  Object made;
  made.device = to;
  made.rank = found->rank;
  made.placed = given ? Placed::kMoved : found->placed;
  made.where = given ? call.spot : found->where;
  const bool surely = relate(from, to) == Relation::kDifferent;
  const bool maybe = (from.is_cpu() && symbols_.meant_for_cuda(to)) ||
                     (symbols_.meant_for_cuda(from) && to.is_cpu());
  const bool certain =
      given.has_value() && (surely || maybe) && relate(from, to) != Relation::kSame;
  // Whether it is a copy is the caller's to know; the same call again is none that anybody needs.
  // Who asks for it on the CPU by name expects CUDA, but of a device that is always the CPU here; a
  // variable that holds the CPU is a program that runs there alone.
  const bool always_cpu =
      from.is_symbol() && symbols_[from.symbol].of_device && !symbols_.may_be_cuda(from);
  const bool to_cpu_by_name = to.is_cpu() && (call.names_cpu || model.result == Placement::kCpu);
  const bool perhaps = given.has_value() && !certain && relate(from, to) == Relation::kUnsure &&
                       (symbols_.may_be_cuda(to) || (to_cpu_by_name && !always_cpu));
  const bool changeable = (perhaps || to.is_cpu()) && from_outside(source, state);
  if (!surely) made.alias = found->alias;
  if (!converts && (certain || (perhaps && to.is_cpu()))) {
    made.source = source;
    made.source_version = found->version;
    made.source_device = from;
    made.transfer = fact_;
  }
  const bool to_host = to.is_cpu() && symbols_.may_be_cuda(from);
  describe_transfer(call, *found, to_host, made, state);
  if (to_host && !call.non_blocking) {
    if (observer_ != nullptr) {
      DataEvent event{DataUse::kWait,     fact_,         block_, &call,
                      call.receiver.spot, Role::kTensor, *found};
      event.object.device = from;
      observer_->data(event);
    }
    waited(state);
    found = state.objects.find(source);
  }
  const Object source_object = *found;
  if (observer_ != nullptr && !given)
    observer_->computed(origins_.intern(Origin::kFact, fact_, 0, 0, block_),
                        {source, fact_, source_object.element});
  if (call.non_blocking && found->memory == Memory::kPinned && symbols_.may_be_cuda(to))
    for (auto& [key, other] : state.objects)
      if (key == source || other.alias == source_object.alias) other.leaving = fact_;
  Copy copy{source, found->version, to, 0, 0, fact_, false, changeable};
  std::optional<Copy> earlier;
  for (const Copy& other : state.copies) {
    if (other.source != source || other.source_version != copy.source_version ||
        !(other.device == to) || other.transfer == fact_)
      continue;
    const Object* result = state.objects.find(other.result);
    if (result != nullptr && result->version != other.result_version) continue;
    earlier = other;
  }
  if (observer_ != nullptr) {
    TransferEvent event{};
    event.fact = fact_;
    event.block = block_;
    event.call = &call;
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
    event.earlier_held = earlier && state.holds(earlier->result);
    if (earlier)
      for (const auto& [variable, held] : state.variables)
        if (held.object == earlier->result && variable < facts_.variables.size())
          event.earlier_variable = variable;
    if (source_object.source != 0) {
      if (const Object* origin = state.objects.find(source_object.source)) {
        event.origin = *origin;
        event.origin_known = true;
        event.origin_held = state.holds(source_object.source);
      }
    }
    event.result = origins_.intern(Origin::kFact, fact_, 0, 0, block_);
    observer_->transfer(event);
  }
  const bool remember = (certain || perhaps) && !call.forces_copy && !source_object.escaped;
  const ObjectId id = make(state, 0, made);
  if (remember) {
    copy.result = id;
    copy.result_version = state.objects.find(id)->version;
    state.copies.push_back(copy);
  }
  return Value::of(id);
}

}  // namespace xfer::analyzer
