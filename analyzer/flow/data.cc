// What is known of tensors beside their place: element type, kind of memory, part in the gradients,
// and which asynchronous copies may still be under way.

#include <algorithm>

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

/// Options after a call that makes or changes them.
Value Interpreter::options_value(const Call& call, Value base, const State& state) const {
  for (const Operand& operand : call.arguments) {
    const Value given = value(operand.value, state);
    if (given.kind == ValueKind::kElement)
      base.element = given.element;
    else if (operand.role == Role::kScalarType)
      base.element = Element::kUnknown;
  }
  const bool on = call.flag.value_or(call.arguments.empty());
  if (call.name == "pinned_memory") base.memory = on ? Memory::kPinned : Memory::kUnknown;
  if (call.name == "requires_grad") base.grad = on;
  return base;
}

Element Interpreter::element_argument(const Call& call, const State& state, bool& given) const {
  for (const Operand& operand : call.arguments) {
    const Value held = value(operand.value, state);
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

void Interpreter::describe_result(const Call& call, ObjectId first, Object& made, State& state) {
  const FunctionModel& model = *call.model;
  const Object* subject = state.objects.find(first);
  const bool factory = model.result == Placement::kArguments;
  bool given = false;
  made.element = element_argument(call, state, given);
  if (!given && factory && model.float_default) made.element = Element::kFloat;
  if (!given && !factory && subject != nullptr) {
    bool alone = true;
    bool same = true;
    const auto look = [&](const Operand& operand) {
      const ObjectId id = object_of(operand, state);
      const Object* other = state.objects.find(id);
      if (operand.role != Role::kTensor && operand.role != Role::kList) return;
      if (id == first) return;
      alone = false;
      same &= other != nullptr && other->element == subject->element;
    };
    if (call.has_receiver) look(call.receiver);
    for (const Operand& operand : call.arguments) look(operand);
    const bool computes = model.rank == RankEffect::kSelf || model.rank == RankEffect::kOperands;
    const bool keeps = model.view || model.pins || call.name == "clone";
    if (keeps || (computes && same && is_floating(subject->element)))
      made.element = subject->element;
    if (alone && (keeps || computes) && observer_ != nullptr)
      observer_->computed(origins_.intern(Origin::kFact, fact_, 0, 0, block_),
                          {first, fact_, subject->element});
  }
  for (const Operand& operand : call.arguments) {
    const Value options = value(operand.value, state);
    if (options.kind != ValueKind::kOptions || !factory) continue;
    if (options.memory == Memory::kPinned && model.exposes && observer_ != nullptr)
      observer_->data({DataUse::kPinned, fact_, block_, &call, operand.spot, operand.role, made});
    if (options.memory == Memory::kPinned && !model.exposes) made.memory = Memory::kPinned;
    if (options.grad && !facts_.gradients_off) made.grad = Grad::kLeaf;
  }
  if (model.pins) made.memory = Memory::kPinned;
  if (model.view && subject != nullptr) {
    made.memory = subject->memory;
    made.arriving = subject->arriving;
    made.leaving = subject->leaving;
    const bool same_tensor = call.name == "requires_grad_" || call.name == "set_requires_grad";
    if (same_tensor) made.grad = subject->grad;
  } else if (made.memory == Memory::kUnknown && made.device.is_cpu() && !model.exposes) {
    const bool opaque_options =
        std::any_of(call.arguments.begin(), call.arguments.end(), [&](const Operand& operand) {
          const Value options = value(operand.value, state);
          return operand.role == Role::kOptions &&
                 (options.kind != ValueKind::kOptions || options.device.is_symbol());
        });
    if (!opaque_options) made.memory = Memory::kPageable;
  }
}

void Interpreter::describe_transfer(const Call& call, const Object& source, bool to_host,
                                    Object& made, const State& state) const {
  bool given = false;
  made.element = element_argument(call, state, given);
  if (!given || !call.converts) made.element = source.element;
  for (const Operand& operand : call.arguments)
    if (operand.role == Role::kTensor) {
      const Object* like = state.objects.find(object_of(operand, state));
      made.element = like == nullptr ? Element::kUnknown : like->element;
    }
  if (made.device.is_cpu() && to_host)
    made.memory = call.non_blocking ? Memory::kPinned : Memory::kPageable;
  if (to_host && call.non_blocking) made.arriving = fact_;
  if (source.grad == Grad::kLeaf && !facts_.gradients_off) made.grad = Grad::kMoved;
}

/// `x.requires_grad_()`, `x.set_requires_grad(true)`, `x.retain_grad()`.
void Interpreter::set_gradient(const Call& call, ObjectId first, State& state) {
  Object* object = state.objects.find(first);
  if (object == nullptr) return;
  if (call.name == "retain_grad") object->grad = Grad::kUnknown;
  if (call.name == "requires_grad_" || call.name == "set_requires_grad") {
    const bool fresh = object->placed == Placed::kMade || object->placed == Placed::kMoved;
    if (!call.flag.value_or(call.arguments.empty()) || facts_.gradients_off)
      object->grad = Grad::kUnknown;
    else if (fresh && object->grad == Grad::kUnknown)
      object->grad = Grad::kLeaf;
  }
}

/// Nothing that was copied asynchronously is under way any more.
void Interpreter::waited(State& state) {
  for (auto& [id, object] : state.objects) object.arriving = object.leaving = 0;
}

void Interpreter::early_access(const Call* call, const Operand& operand, DataUse use,
                               State& state) {
  if (observer_ == nullptr) return;
  const ObjectId id = object_of(operand, state);
  const Object* object = state.objects.find(id);
  if (object == nullptr) return;
  if ((use == DataUse::kEarlyRead && object->arriving != 0) ||
      (use == DataUse::kEarlyWrite && object->leaving != 0))
    observer_->data({use, fact_, block_, call, operand.spot, operand.role, *object});
  for (const auto& [key, part] : state.fields) {
    const Object* held = state.objects.find(part.object);
    if (key.first == id && held != nullptr && held->arriving != 0 && use == DataUse::kEarlyRead &&
        object->kind == ObjectKind::kList)
      observer_->data({use, fact_, block_, call, operand.spot, operand.role, *held});
  }
}

void Interpreter::before_call(const Call& call, State& state) {
  if (call.form == CallForm::kKernel) return;  // nothing waits for a kernel
  const FunctionModel* model = call.model;
  const auto on_cuda = [&](const Operand& operand) {
    const ObjectId id = object_of(operand, state);
    return id != 0 && symbols_.may_be_cuda(state.device_of(id));
  };
  const auto is_tensor = [](const Operand& operand) {
    return operand.role == Role::kTensor || operand.role == Role::kList;
  };
  if (model == nullptr) {
    // Code that is not known may wait for the device, unless it only asks a tensor of the CPU
    // something.
    bool host_only = call.library && !call.callee;
    bool tensors = false;
    const auto look = [&](const Operand& operand) {
      if (!is_tensor(operand)) return;
      tensors = true;
      const Device device = state.device_of(object_of(operand, state));
      host_only &= device.is_cpu();
    };
    if (call.has_receiver) look(call.receiver);
    for (const Operand& operand : call.arguments) look(operand);
    if (!host_only || !tensors) waited(state);
    return;
  }
  if (model->kind == CallKind::kSynchronize) return waited(state);
  if (model->requires_ == Requirement::kLeaf && observer_ != nullptr) {
    const auto want = [&](const Operand& operand, ObjectId id) {
      const Object* object = state.objects.find(id);
      if (object != nullptr && object->grad == Grad::kMoved)
        observer_->data(
            {DataUse::kLeaf, fact_, block_, &call, operand.spot, operand.role, *object});
    };
    const auto look = [&](const Operand& operand) {
      const ObjectId id = object_of(operand, state);
      if (operand.role == Role::kTensor) return want(operand, id);
      if (operand.role != Role::kList) return;
      for (const auto& [key, part] : state.fields)
        if (key.first == id && key.second >= kFirstElement) want(operand, part.object);
    };
    if (call.has_receiver) look(call.receiver);
    for (const Operand& operand : call.arguments) look(operand);
  }
  const bool receives = call.has_receiver && call.receiver.role == Role::kTensor;
  if (model->syncs && receives && on_cuda(call.receiver)) {
    if (observer_ != nullptr) {
      const OperandView seen = view(call.receiver, state);
      observer_->data(
          {DataUse::kWait, fact_, block_, &call, call.receiver.spot, Role::kTensor, seen.object});
    }
    waited(state);
  }
  const bool computes = model->kind == CallKind::kPlain && !model->view &&
                        model->result != Placement::kArgumentsOrFirst &&
                        model->result != Placement::kCommon &&
                        model->requires_ != Requirement::kLeaf &&
                        (model->result != Placement::kUnknown || model->writes || model->syncs ||
                         model->requires_ != Requirement::kNone);
  if (!computes) return;
  bool elsewhere = false;  // then the device's own order protects it
  if (call.has_receiver) elsewhere |= on_cuda(call.receiver);
  for (const Operand& operand : call.arguments) elsewhere |= on_cuda(operand);
  if (elsewhere) return;
  // A source that may be on a device is copied in that device's order.
  const bool from_host =
      std::all_of(call.arguments.begin(), call.arguments.end(), [&](const Operand& operand) {
        return !is_tensor(operand) || state.device_of(object_of(operand, state)).is_cpu();
      });
  if (model->writes && receives && from_host)
    early_access(&call, call.receiver, DataUse::kEarlyWrite, state);
  if (call.has_receiver && is_tensor(call.receiver))
    early_access(&call, call.receiver, DataUse::kEarlyRead, state);
  for (const Operand& operand : call.arguments)
    if (is_tensor(operand)) early_access(&call, operand, DataUse::kEarlyRead, state);
}

}  // namespace xfer::analyzer
