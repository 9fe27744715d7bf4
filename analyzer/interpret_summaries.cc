// Calls of functions that have a summary: it is read in terms of the arguments.

#include "analyzer/interpret.h"

namespace xfer::analyzer {

Device Interpreter::substitute(const Call& call, const Where& where, std::uint32_t sub,
                               State& state) {
  switch (where.kind) {
    case Where::Kind::kUnknown: return Device::unknown();
    case Where::Kind::kDevice: return where.device;
    case Where::Kind::kOfParameter: {
      const Operand* operand = argument(call, where.parameter);
      return operand == nullptr ? Device::unknown() : device_of(state, object_of(*operand, state));
    }
    case Where::Kind::kParameter: {
      const Operand* operand = argument(call, where.parameter);
      const Value held = operand == nullptr ? Value{} : value(operand->value, state);
      return held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions
                 ? held.device
                 : Device::unknown();
    }
    case Where::Kind::kChoice: {
      const Device device = opaque(state, 16 + sub);
      symbols_[device.symbol].may_cpu |= where.may_cpu;
      symbols_[device.symbol].may_cuda |= where.may_cuda;
      symbols_[device.symbol].chosen = call.spot;
      return device;
    }
  }
  return Device::unknown();
}

Value Interpreter::outcome(const Call& call, const Outcome& outcome, Role role, std::uint32_t sub,
                           State& state) {
  if (!outcome.known) return fresh(role, nullptr, state, sub);
  if (outcome.same_object) {
    const Operand* operand = argument(call, outcome.parameter);
    return operand == nullptr ? fresh(role, nullptr, state, sub) : value(operand->value, state);
  }
  const Device device = substitute(call, outcome.where, sub, state);
  if (role == Role::kDevice) return Value::of(device);
  if (role == Role::kOptions) return Value::options(device, true);
  if (role != Role::kTensor && role != Role::kModule) {
    // All parts are there.
    const Value whole = fresh(role, nullptr, state, sub);
    Object* object = state.objects.find(whole.object);
    if (object != nullptr && device.kind != DeviceKind::kUnknown) {
      object->device = device;
      object->placed = Placed::kComputed;
      object->where = call.spot;
    }
    return whole;
  }
  Object made;
  made.kind = role == Role::kModule ? ObjectKind::kModule : ObjectKind::kTensor;
  made.device = device;
  made.rank = outcome.rank;
  made.placed = outcome.placed == Placed::kUnknown || outcome.placed == Placed::kGiven
                    ? Placed::kComputed
                    : outcome.placed;
  made.where = call.spot;
  if (outcome.may_alias) {
    made.escaped = true;
    for (const Operand& operand : call.arguments)
      if (const Object* object = state.objects.find(object_of(operand, state)))
        if (object->kind == ObjectKind::kTensor && made.alias == 0) made.alias = object->alias;
  }
  return Value::of(make(state, sub, made));
}

Value Interpreter::apply_summary(const Call& call, const Summary& summary, State& state) {
  if (observer_ != nullptr) {
    for (const Need& need : summary.needs) {
      NeedEvent event{};
      event.fact = fact_;
      event.block = block_;
      event.call = &call;
      event.need = &need;
      const Operand* first = argument(call, need.first);
      const Operand* second = need.fixed ? nullptr : argument(call, need.second);
      if (first == nullptr || (!need.fixed && second == nullptr)) continue;
      event.first = view(*first, state);
      if (second != nullptr) event.second = view(*second, state);
      if (need.fixed) {
        event.second.object.device = substitute(call, need.where, 30, state);
        event.second.object.rank = Rank::kNonZero;
      }
      observer_->need(event);
    }
    if (summary.unknown_calls) observer_->unknown_call();
  }
  // Results are in terms of the arguments as they were.
  std::vector<std::pair<const Operand*, Value>> stores;
  std::vector<std::pair<ObjectId, Device>> moves;
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    if (index < summary.references.size() && operand.pass == Pass::kMutable &&
        (operand.role == Role::kTensor || operand.role == Role::kDevice ||
         operand.role == Role::kOptions))
      stores.emplace_back(&operand,
                          outcome(call, summary.references[index], operand.role, 2 + index, state));
    if (index < summary.modules.size() && operand.role == Role::kModule) {
      const Where& where = summary.modules[index];
      if (!(where.kind == Where::Kind::kOfParameter && where.parameter == index))
        moves.emplace_back(object_of(operand, state), substitute(call, where, 8 + index, state));
    }
  }
  const bool moves_self =
      call.has_receiver && call.receiver.role == Role::kModule &&
      !(summary.self.kind == Where::Kind::kOfParameter && summary.self.parameter == kThisParameter);
  if (moves_self)
    moves.emplace_back(object_of(call.receiver, state), substitute(call, summary.self, 28, state));
  const Value result = call.result.role == Role::kNone
                           ? Value{}
                           : outcome(call, summary.result, call.result.role, 0, state);

  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    const ObjectId id = object_of(operand, state);
    if (id == 0) continue;
    if (index < summary.written.size() && summary.written[index]) write(id, state);
    const bool compound = operand.role == Role::kList || operand.role == Role::kRecord ||
                          operand.role == Role::kTuple;
    if (compound && operand.pass == Pass::kMutable) lose(id, state);
    if (index < summary.escapes.size() && summary.escapes[index]) {
      state.escape(id);
      if (observer_ != nullptr) observer_->escaped(id, block_);
    }
  }
  for (const auto& [id, device] : moves) set_device(id, device, Placed::kMoved, call.spot, state);
  for (const auto& [operand, stored] : stores) {
    if (operand->place == 0) {
      lose(object_of(*operand, state), state);
      continue;
    }
    const Place& where = facts_.places[operand->place];
    if (where.fields.empty()) {
      if (facts_.variables[where.root].tracked) state.variables[where.root] = stored;
    } else {
      Value base = variable_value(where.root, state);
      for (std::size_t index = 0; index + 1 < where.fields.size(); ++index)
        base = field_value(base.object, where.fields[index], state);
      if (base.object != 0) state.fields[{base.object, where.fields.back()}] = stored;
    }
  }
  if (summary.self_changed && call.has_receiver) {
    const ObjectId self = object_of(call.receiver, state);
    if (self != 0) {
      write(self, state);
      state.fields.erase_if([&](const auto& entry) { return entry.first.first == self; });
      if (observer_ != nullptr) observer_->field_stored(self);
    }
  }
  if (summary.unknown_calls) forget_globals(state);
  return result;
}

}  // namespace xfer::analyzer
