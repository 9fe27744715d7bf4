#include "analyzer/flow/data.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

Element element_argument(const Step& step, const Call& call, bool& given) {
  for (const Operand& operand : call.arguments) {
    const Value held = step.value(operand.value);
    if (operand.role == Role::kScalarType || held.kind == ValueKind::kElement) {
      given = true;
      return held.element;
    }
    if (operand.role == Role::kOptions) {
      // Opaque options may say anything.
      given = held.kind != ValueKind::kOptions || held.element != Element::kUnknown ||
              held.device.is_symbol();
      return held.element;
    }
  }
  return Element::kUnknown;
}

}  // namespace

Value options_value(const Step& step, const Call& call, Value base) {
  for (const Operand& operand : call.arguments) {
    const Value given = step.value(operand.value);
    if (given.kind == ValueKind::kElement)
      base.element = given.element;
    else if (operand.role == Role::kScalarType)
      base.element = Element::kUnknown;
  }
  const bool on = call.flag.value_or(call.arguments.empty());
  const OptionSet sets = call.model == nullptr ? OptionSet::kNone : call.model->sets;
  if (sets == OptionSet::kPinnedMemory) base.memory = on ? Memory::kPinned : Memory::kUnknown;
  if (sets == OptionSet::kRequiresGrad) base.grad = on;
  return base;
}

void describe_result(Step& step, const Call& call, ObjectId first, Object& made) {
  const FunctionModel& model = *call.model;
  const Object* subject = step.find(first);
  const bool factory = model.result == Placement::kArguments;
  bool given = false;
  made.element = element_argument(step, call, given);
  if (!given && factory && model.float_default) made.element = Element::kFloat;
  if (!given && !factory && subject != nullptr) {
    bool alone = true;
    bool same = true;
    const auto look = [&](const Operand& operand) {
      const ObjectId id = step.object_of(operand);
      const Object* other = step.find(id);
      if (operand.role != Role::kTensor && operand.role != Role::kList) return;
      if (id == first) return;
      alone = false;
      same &= other != nullptr && other->element == subject->element;
    };
    if (call.has_receiver) look(call.receiver);
    for (const Operand& operand : call.arguments) look(operand);
    const bool computes = model.rank == RankEffect::kSelf || model.rank == RankEffect::kOperands;
    const bool keeps = model.view || model.pins || model.keeps_element;
    if (keeps || (computes && same && is_floating(subject->element)))
      made.element = subject->element;
    if (alone && (keeps || computes))
      step.events.computed(step.id_of_result(), {first, step.fact, subject->element});
  }
  for (const Operand& operand : call.arguments) {
    const Value options = step.value(operand.value);
    if (options.kind != ValueKind::kOptions || !factory) continue;
    if (options.memory == Memory::kPinned && model.exposes)
      step.tell(DataUse::kPinned, call, operand, made);
    if (options.memory == Memory::kPinned && !model.exposes) made.memory = Memory::kPinned;
    if (options.grad && !step.facts.gradients_off) made.grad = Grad::kLeaf;
  }
  if (model.pins) made.memory = Memory::kPinned;
  if (model.view && subject != nullptr) {
    made.memory = subject->memory;
    made.arriving = subject->arriving;
    made.leaving = subject->leaving;
    if (model.gradient == GradientEffect::kSets) made.grad = subject->grad;
  } else if (made.memory == Memory::kUnknown && made.device.is_cpu() && !model.exposes) {
    const bool opaque_options =
        std::any_of(call.arguments.begin(), call.arguments.end(), [&](const Operand& operand) {
          const Value options = step.value(operand.value);
          return operand.role == Role::kOptions &&
                 (options.kind != ValueKind::kOptions || options.device.is_symbol());
        });
    if (!opaque_options) made.memory = Memory::kPageable;
  }
}

void describe_transfer(const Step& step, const Call& call, const Object& source, bool to_host,
                       Object& made) {
  bool given = false;
  made.element = element_argument(step, call, given);
  if (!given || !call.converts) made.element = source.element;
  for (const Operand& operand : call.arguments)
    if (operand.role == Role::kTensor) {
      const Object* like = step.find(step.object_of(operand));
      made.element = like == nullptr ? Element::kUnknown : like->element;
    }
  if (made.device.is_cpu() && to_host)
    made.memory = call.non_blocking ? Memory::kPinned : Memory::kPageable;
  if (to_host && call.non_blocking) made.arriving = step.fact;
  if (source.grad == Grad::kLeaf && !step.facts.gradients_off) made.grad = Grad::kMoved;
}

void set_gradient(Step& step, const Call& call, ObjectId first) {
  Object* object = step.find(first);
  if (object == nullptr) return;
  if (call.model->gradient == GradientEffect::kRetains) object->grad = Grad::kUnknown;
  if (call.model->gradient == GradientEffect::kSets) {
    const bool fresh = object->placed == Placed::kMade || object->placed == Placed::kMoved;
    if (!call.flag.value_or(call.arguments.empty()) || step.facts.gradients_off)
      object->grad = Grad::kUnknown;
    else if (fresh && object->grad == Grad::kUnknown)
      object->grad = Grad::kLeaf;
  }
}

void copy_between(Step& step, const Call& call, ObjectId to) {
  const ObjectId from =
      call.arguments.empty() ? ObjectId() : step.object_of(call.arguments.front());
  if (!from || from == to) return;
  const Device source = step.device_of(from);
  const Device target = step.device_of(to);
  const bool to_host = target.is_cpu() && step.symbols.may_be_cuda(source);
  const bool from_host = source.is_cpu() && step.symbols.may_be_cuda(target);
  if (!to_host && !from_host) return;
  if (!call.non_blocking) return to_host ? step.waited() : void();
  const Object host = *step.find(to_host ? to : from);
  if (host.memory != Memory::kPinned) return;
  for (auto& [id, object] : step.state.objects)
    if (object.alias == host.alias) (to_host ? object.arriving : object.leaving) = step.fact;
}

}  // namespace xfer::analyzer
