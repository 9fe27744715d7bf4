// What a call does to a state: which of its meanings applies, and what code that nobody knows may
// do.

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

ObjectId Interpreter::object_of(const Operand& operand, const State& state) const {
  const Value held = value(operand.value, state);
  return held.kind == ValueKind::kObject ? held.object : 0;
}

OperandView Interpreter::view(const Operand& operand, const State& state) const {
  return view(operand, object_of(operand, state), operand.spot, state);
}

OperandView Interpreter::view(const Operand& operand, ObjectId id, SpotId spot,
                              const State& state) const {
  OperandView seen;
  seen.operand = &operand;
  seen.spot = spot;
  seen.id = id;
  const Object* object = state.objects.find(seen.id);
  if (object == nullptr) {
    seen.id = 0;
    return seen;
  }
  seen.object = *object;
  seen.module = object->kind == ObjectKind::kModule;
  // What a registered part shows is where its module was placed.
  for (ObjectId at = object->parent; at != 0;) {
    const Object* parent = state.objects.find(at);
    if (parent == nullptr) break;
    seen.object.placed = parent->placed;
    seen.object.where = parent->where;
    at = parent->parent;
  }
  seen.object.device = state.device_of(seen.id);
  return seen;
}

const Operand* Interpreter::argument(const Call& call, std::uint32_t parameter) const {
  if (parameter == kThisParameter) return call.has_receiver ? &call.receiver : nullptr;
  return parameter < call.arguments.size() ? &call.arguments[parameter] : nullptr;
}

/// The device that the arguments give; none when they give no device at all.
std::optional<Device> Interpreter::device_argument(const Call& call, const State& state,
                                                   bool tensors) const {
  for (const Operand& operand : call.arguments) {
    const Value held = value(operand.value, state);
    if (held.kind == ValueKind::kDevice) return held.device;
    if (held.kind == ValueKind::kOptions && held.has_device) return held.device;
    if (held.kind == ValueKind::kNone &&
        (operand.role == Role::kDevice || operand.role == Role::kOptions))
      return Device::unknown();
    if (tensors && operand.role == Role::kTensor) return state.device_of(object_of(operand, state));
  }
  return std::nullopt;
}

Value Interpreter::call(const Call& made, State& state) {
  if (observer_ != nullptr) {
    const auto note = [&](const Operand& operand) {
      if (const ObjectId id = object_of(operand, state)) observer_->read(id, fact_, block_);
    };
    if (made.has_receiver) note(made.receiver);
    for (const Operand& operand : made.arguments) note(operand);
  }
  choices_.clear();
  settled_.reset();
  before_call(made, state);
  Value result;
  if (made.form == CallForm::kKernel)
    launch(made, state);
  else if (made.form == CallForm::kNewModule)
    result = new_module(made, state);
  else if (made.model != nullptr)
    result = apply_model(made, state);
  else if (made.callee && surroundings_.summary_of(made.callee).known)
    result = apply_summary(made, surroundings_.summary_of(made.callee), state);
  else
    result = apply_unknown(made, state);
  if (made.parameter) note_returned(made, result, state);
  return result;
}

Value Interpreter::apply_unknown(const Call& call, State& state) {
  const bool modifies = ends_with(call.name, "_") || ends_with(call.name, "_out");
  const auto module_method = call.has_receiver && call.receiver.role == Role::kModule;
  if (call.library) {
    if (call.name == "operator()") outside_written(state);  // of a std::function: the team's code
    if (call.has_receiver) {
      const ObjectId self = object_of(call.receiver, state);
      if (call.receiver.role == Role::kTensor) {
        if (modifies) write(self, state);
      } else if (!module_method && self != 0 && call.receiver.pass == Pass::kMutable &&
                 call.receiver.role == Role::kList && call.result.role == Role::kNone) {
        lose(self, state);
      } else if (call.receiver.role == Role::kList) {
        share_parts(self, state);  // begin(), data()
      }
    }
    bool first = !call.has_receiver || call.receiver.role != Role::kTensor;
    for (const Operand& operand : call.arguments) {
      if (operand.role == Role::kMemory) {
        hand_over_memory(call, operand, state);
        continue;
      }
      const ObjectId id = object_of(operand, state);
      if (id == 0) continue;
      const Object* object = state.objects.find(id);
      const bool stored = call.form == CallForm::kConstruct ||
                          (call.has_receiver && call.receiver.pass == Pass::kMutable);
      if (operand.pass == Pass::kMutable) {
        lose_operand(operand, state);
      } else if (stored && object != nullptr && object->kind == ObjectKind::kModule) {
        share(id, state);
      } else if (object != nullptr &&
                 (object->kind == ObjectKind::kTensor || object->kind == ObjectKind::kList)) {
        if (modifies && first) write(id, state);
        // A library object that is made from tensors may keep and change them.
        const bool keeps = call.has_receiver && call.receiver.role == Role::kNone &&
                           call.result.role == Role::kNone;
        if (call.form == CallForm::kConstruct || keeps) {
          state.escape(id);
          if (observer_ != nullptr) observer_->escaped(id, block_);
        }
      }
      if (stored) share_parts(id, state);
      first = false;
    }
    if (observer_ != nullptr && call.result.role != Role::kNone)
      observer_->unknown("no model for " + call.name);
    const Value result = fresh(call.result, state, 0);
    if (module_method && call.name != "clone")
      hand_out_part(object_of(call.receiver, state), result, state);
    return result;
  }

  if (call.system) return apply_system(call, state);

  if (observer_ != nullptr) {
    observer_->unknown("call of " +
                       (call.name.empty() ? std::string("a function object") : call.name) +
                       ", whose body is not here");
    observer_->unknown_call();
  }
  if (call.has_receiver && call.receiver.pass == Pass::kMutable)
    lose(object_of(call.receiver, state), state);
  for (const Operand& operand : call.arguments) {
    if (operand.role == Role::kMemory) {
      hand_over_memory(call, operand, state);
      continue;
    }
    const ObjectId id = object_of(operand, state);
    Object* object = state.objects.find(id);
    if (object == nullptr) continue;
    if (operand.pass == Pass::kMutable || object->kind == ObjectKind::kModule) {
      lose_operand(operand, state);
    } else {
      state.escape(id);
      if (observer_ != nullptr) observer_->escaped(id, block_);
      share_parts(id, state);
      for (const ObjectId part : state.parts_of(id)) {
        state.escape(part);
        if (observer_ != nullptr) observer_->escaped(part, block_);
      }
    }
  }
  forget_globals(state);
  outside_written(state);
  return fresh(call.result, state, 0);
}

}  // namespace xfer::analyzer
