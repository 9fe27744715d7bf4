#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>

#include "analyzer/interpret.h"

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
  seen.object.device = device_of(state, seen.id);
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
    if (tensors && operand.role == Role::kTensor)
      return device_of(state, object_of(operand, state));
  }
  return std::nullopt;
}

void Interpreter::call(const Fact& fact, State& state) {
  const Call& made = facts_.calls[fact.call];
  if (observer_ != nullptr) {
    const auto note = [&](const Operand& operand) {
      if (const ObjectId id = object_of(operand, state)) observer_->read(id, fact_, block_);
    };
    if (made.has_receiver) note(made.receiver);
    for (const Operand& operand : made.arguments) note(operand);
  }
  before_call(made, state);
  Value result;
  if (made.form == CallForm::kNewModule) result = new_module(made, state);
  else if (made.model != nullptr) result = apply_model(made, state);
  else if (made.callee != nullptr && summary_of_(*made.callee).known)
    result = apply_summary(made, summary_of_(*made.callee), state);
  else result = apply_unknown(made, state);
  if (fact.value != 0) state.temporaries[fact.value] = result;
}

Value Interpreter::new_module(const Call& call, State& state) {
  Object made;
  made.kind = ObjectKind::kModule;
  made.placed = Placed::kMade;
  made.where = call.spot;
  made.strict = class_strict(call.result.record);
  const Summary* summary = call.callee != nullptr ? &summary_of_(*call.callee) : nullptr;
  if (call.library) {
    made.device = Device::cpu();
    const FunctionModel* forward =
        call.result.record == nullptr
            ? nullptr
            : models_.find(types_.qualified_name(*call.result.record) + "::forward", 1);
    if (forward != nullptr && forward->module_parts) {
      // A container of modules is as strict, and where, its parts are.
      made.strict = Strict::kNo;
      Device parts = Device::bottom();
      for (const Operand& operand : call.arguments) {
        const ObjectId part = object_of(operand, state);
        const Object* object = state.objects.find(part);
        if (object == nullptr || object->kind != ObjectKind::kModule) {
          if (made.strict == Strict::kNo) made.strict = Strict::kUnknown;
          continue;
        }
        parts = join(parts, device_of(state, part));
        if (made.strict == Strict::kNo) made.strict = object->strict;
      }
      if (parts.kind != DeviceKind::kBottom) made.device = parts;
    }
  } else if (summary != nullptr && summary->known) {
    made.device = summary->self_empty ? Device::cpu() : substitute(call, summary->self, 1, state);
  } else {
    made.device = Device::unknown();
    if (observer_ != nullptr) observer_->unknown("constructor of a module without a body here");
  }
  const ObjectId id = make(state, 0, made);
  if (summary != nullptr && summary->known) {
    for (std::uint32_t index = 0; index < call.arguments.size(); ++index)
      if (index < summary->escapes.size() && summary->escapes[index])
        state.escape(object_of(call.arguments[index], state));
  }
  // Whatever the container keeps is a part of it from now on.
  for (const Operand& operand : call.arguments) {
    const ObjectId part = object_of(operand, state);
    Object* object = state.objects.find(part);
    if (object == nullptr || part == id) continue;
    if (object->kind == ObjectKind::kModule) {
      if (call.library) object->parent = id;
      else lose(part, state);
    } else {
      state.escape(part);
    }
  }
  return Value::of(id);
}

Value Interpreter::apply_model(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  // What keeps its tensors does so whatever it wants of them.
  if (model.requires_ == Requirement::kLeaf && call.form == CallForm::kConstruct)
    return apply_unknown(call, state);
  const ObjectId receiver = call.has_receiver ? object_of(call.receiver, state) : 0;
  switch (model.kind) {
    case CallKind::kTransfer: return apply_transfer(call, state);
    case CallKind::kMove: {
      if (receiver != 0) {
        std::optional<Device> device = device_argument(call, state, false);
        if (model.result == Placement::kCpu) device = Device::cpu();
        if (model.result == Placement::kCuda && !device) device = Device::cuda(Device::kCurrent);
        if (device) set_device(receiver, *device, Placed::kMoved, call.spot, state);
      }
      return call.result.role == Role::kModule ? value(call.receiver.value, state) : Value{};
    }
    case CallKind::kRegister: {
      Value part;
      for (const Operand& operand : call.arguments) {
        const Value held = value(operand.value, state);
        const bool followed = operand.role == Role::kModule || operand.role == Role::kTensor;
        if (!followed) continue;
        Object* owner = state.objects.find(receiver);
        if (held.kind != ValueKind::kObject) {
          if (owner != nullptr) owner->device = Device::unknown();
          continue;
        }
        part = held;
        const Device device = device_of(state, held.object);
        if (owner == nullptr || held.object == receiver) continue;
        owner->device = join(owner->device, device);
        Object* added = state.objects.find(held.object);
        if (owner->strict == Strict::kNo && added->kind == ObjectKind::kModule)
          owner->strict = added->strict;
        if (added->parent == 0) added->parent = receiver;
      }
      if (call.result.role == Role::kNone) return {};
      return part.kind == ValueKind::kNone ? fresh(call.result.role, call.result.record, state, 0)
                                           : part;
    }
    case CallKind::kDeviceQuery: {
      if (call.result.role != Role::kDevice && call.result.role != Role::kOptions) return {};
      const Value held = value(call.receiver.value, state);
      Device device = Device::unknown();
      if (held.kind == ValueKind::kObject) device = device_of(state, held.object);
      if (held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions) device = held.device;
      if (!call.has_receiver && !call.arguments.empty())
        device = device_of(state, object_of(call.arguments.front(), state));
      if (call.result.role == Role::kDevice) return Value::of(device);
      Value options = Value::options(device, true);
      if (const Object* asked = state.objects.find(receiver)) options.element = asked->element;
      if (held.kind == ValueKind::kOptions) options.element = held.element;
      return options;
    }
    case CallKind::kDeviceChoice: {
      if (call.result.role != Role::kDevice) return {};
      const Device device = opaque(state, 0);
      symbols_[device.symbol].may_cpu = symbols_[device.symbol].may_cuda = true;
      symbols_[device.symbol].chosen = call.spot;
      return Value::of(device);
    }
    case CallKind::kDevice: {
      const std::optional<Device> device = device_argument(call, state, false);
      return Value::of(device ? *device : opaque(state, 0));
    }
    case CallKind::kOptions: {
      const std::optional<Device> device = device_argument(call, state, false);
      const Value held = call.has_receiver ? value(call.receiver.value, state) : Value{};
      if (device) return options_value(call, Value::options(*device, true), state);
      if (held.kind == ValueKind::kOptions) return options_value(call, held, state);
      if (held.kind == ValueKind::kObject)
        return options_value(call, Value::options(device_of(state, held.object), true), state);
      return options_value(call, Value::options(Device::cpu(), false), state);
    }
    case CallKind::kAppend: {
      for (const Operand& operand : call.arguments) {
        const ObjectId part = object_of(operand, state);
        Object* list = state.objects.find(receiver);
        if (list == nullptr || part == receiver) continue;
        list->device = part == 0 ? (operand.role == Role::kNone ? list->device : Device::unknown())
                                 : join(list->device, device_of(state, part));
        const Object* added = state.objects.find(part);
        if (added == nullptr) continue;
        if (list->where == 0) list->where = added->where;
        const ObjectId alias = list->alias;
        state.merge_aliases(alias, added->alias);
        state.fields[{receiver, kFirstAppended + fact_}] = Value::of(part);
        state.escape(part);
        if (observer_ != nullptr) observer_->escaped(part, block_);
      }
      write(receiver, state);
      if (call.result.role == Role::kNone) return {};
      return fresh(call.result.role, call.result.record, state, 0);
    }
    case CallKind::kSetDevice:
    case CallKind::kSynchronize: return {};
    case CallKind::kMakeHandle:
    case CallKind::kElement:
    case CallKind::kTuple:
    case CallKind::kPass:
    case CallKind::kPlain: break;
  }
  return apply_plain(call, state);
}

Value Interpreter::apply_transfer(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  const ObjectId source = call.has_receiver ? object_of(call.receiver, state) : 0;
  const Object* found = state.objects.find(source);
  if (found == nullptr) return fresh(call.result.role, call.result.record, state, 0);
  const Device from = device_of(state, source);
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
  const bool maybe = (from.is_cpu() && meant_for_cuda(to)) || (meant_for_cuda(from) && to.is_cpu());
  const bool certain = given.has_value() && (surely || maybe) && relate(from, to) != Relation::kSame;
  if (!surely) made.alias = found->alias;
  if (!converts && certain && !found->escaped) {
    made.source = source;
    made.source_version = found->version;
    made.source_device = from;
    made.transfer = fact_;
  }
  const bool to_host = to.is_cpu() && may_be_cuda(from);
  describe_transfer(call, *found, to_host, made, state);
  if (to_host && !call.non_blocking) {
    if (observer_ != nullptr) {
      DataEvent event{DataUse::kWait, fact_, block_, &call, call.receiver.spot, Role::kTensor, *found};
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
  if (call.non_blocking && found->memory == Memory::kPinned && may_be_cuda(to))
    for (auto& [key, other] : state.objects)
      if (key == source || other.alias == source_object.alias) other.leaving = fact_;
  Copy copy{source, found->version, to, 0, 0, fact_};
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
    event.certain = certain && !source_object.escaped;
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
  const bool remember = certain && !call.forces_copy && !source_object.escaped;
  const ObjectId id = make(state, 0, made);
  if (remember) {
    copy.result = id;
    copy.result_version = state.objects.find(id)->version;
    state.copies.push_back(copy);
  }
  return Value::of(id);
}

std::vector<OperandView> Interpreter::required_operands(const Call& call,
                                                        const State& state) const {
  std::vector<OperandView> operands;
  const FunctionModel& model = *call.model;
  const auto add = [&](const Operand& operand) {
    if (operand.role != Role::kTensor && operand.role != Role::kList) return;
    OperandView seen = view(operand, state);
    if (seen.id == 0) return;
    const auto fact = list_facts_.find(seen.id);
    bool expanded = false;
    if (operand.role == Role::kList)
      for (const auto& [key, part] : state.fields) {
        if (key.first != seen.id || key.second < kFirstElement) continue;
        const std::size_t index = key.second - kFirstElement;
        const bool written = fact != list_facts_.end() && index < fact->second->spots.size();
        OperandView element = view(
            operand, part.object, written ? fact->second->spots[index] : operand.spot, state);
        if (element.id != 0) operands.push_back(std::move(element));
        expanded = true;
      }
    if (!expanded || seen.object.device.kind != DeviceKind::kUnknown)
      operands.push_back(std::move(seen));
  };
  if (call.has_receiver) {
    if (call.receiver.role == Role::kModule) {
      OperandView seen = view(call.receiver, state);
      const bool part_of = model.module_parts && seen.object.strict == Strict::kYes;
      if (seen.id != 0 && (model.module_forward || part_of)) operands.push_back(std::move(seen));
    } else {
      add(call.receiver);
    }
  }
  if (model.operands.empty()) {
    for (const Operand& operand : call.arguments) add(operand);
  } else {
    for (const unsigned index : model.operands)
      if (index < call.arguments.size()) add(call.arguments[index]);
  }
  return operands;
}

Rank Interpreter::result_rank(const Call& call, const std::vector<OperandView>& operands) const {
  const Form first = call.arguments.empty() ? Form::kOther : call.arguments.front().form;
  switch (call.model->rank) {
    case RankEffect::kUnknown: return Rank::kUnknown;
    case RankEffect::kZero: return Rank::kZero;
    case RankEffect::kNonZero: return Rank::kNonZero;
    case RankEffect::kSelf: return operands.empty() ? Rank::kUnknown : operands.front().object.rank;
    case RankEffect::kOperands: {
      Rank rank = Rank::kZero;
      for (const OperandView& operand : operands) {
        if (operand.object.rank == Rank::kNonZero) return Rank::kNonZero;
        if (operand.object.rank == Rank::kUnknown) rank = Rank::kUnknown;
      }
      return operands.empty() ? Rank::kUnknown : rank;
    }
    case RankEffect::kFromSizes:
      return first == Form::kEmptyBraces                            ? Rank::kZero
             : first == Form::kBraces || first == Form::kScalar ? Rank::kNonZero
                                                                : Rank::kUnknown;
    case RankEffect::kFromData:
      return first == Form::kScalar ? Rank::kZero
             : first == Form::kBraces ? Rank::kNonZero
                                      : Rank::kUnknown;
    case RankEffect::kZeroIfNoDims: return call.has_dims ? Rank::kUnknown : Rank::kZero;
  }
  return Rank::kUnknown;
}

Value Interpreter::apply_plain(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  std::vector<OperandView> operands = required_operands(call, state);
  const bool same = model.requires_ == Requirement::kSameDevice;
  bool mismatch = false;
  if (same) {
    for (const OperandView& a : operands)
      for (const OperandView& b : operands)
        mismatch |= relate(a.object.device, b.object.device) == Relation::kDifferent &&
                    !(model.zero_dim_cpu && (a.object.rank != Rank::kNonZero ||
                                             b.object.rank != Rank::kNonZero));
    if (observer_ != nullptr && operands.size() > 1) {
      OperandsEvent event{};
      event.fact = fact_;
      event.block = block_;
      event.call = &call;
      event.zero_dim_cpu = model.zero_dim_cpu;
      event.operands = operands;
      observer_->operands(event);
    }
  }

  const Operand* subject = call.has_receiver && call.receiver.role == Role::kTensor ? &call.receiver
                                                                                    : nullptr;
  if (subject == nullptr)
    for (const Operand& operand : call.arguments)
      if (operand.role == Role::kTensor || operand.role == Role::kList) {
        subject = &operand;
        break;
      }
  const ObjectId first = subject == nullptr ? 0 : object_of(*subject, state);
  const Device first_device = first == 0 ? Device::unknown() : device_of(state, first);

  Device device = Device::unknown();
  Placed placed = Placed::kComputed;
  switch (model.result) {
    case Placement::kUnknown: break;
    case Placement::kCpu: device = Device::cpu(); break;
    case Placement::kCuda: device = Device::cuda(Device::kCurrent); break;
    case Placement::kSelf:
    case Placement::kFirst: device = first_device; break;
    case Placement::kOperands: {
      if (mismatch) break;
      // The operands agree, or the operation would have failed: any of them that cannot be a CPU
      // scalar beside CUDA tensors says where the result is.
      bool all_same = true;
      for (const OperandView& operand : operands) {
        const Device at = operand.object.device;
        all_same &= relate(at, operands.front().object.device) == Relation::kSame;
        const bool decides = !model.zero_dim_cpu || operand.module || at.is_cuda() ||
                             operand.object.rank == Rank::kNonZero;
        if (decides && at.kind != DeviceKind::kUnknown && at.kind != DeviceKind::kBottom &&
            device.kind == DeviceKind::kUnknown)
          device = at;
      }
      if (device.kind == DeviceKind::kUnknown && all_same && !operands.empty())
        device = operands.front().object.device;
      break;
    }
    case Placement::kArguments:
      device = device_argument(call, state, false).value_or(Device::cpu());
      placed = Placed::kMade;
      break;
    case Placement::kArgumentsOrFirst: {
      const std::optional<Device> given = device_argument(call, state, false);
      device = given ? *given : first_device;
      placed = given ? Placed::kMade : Placed::kComputed;
      break;
    }
  }
  if (device.kind == DeviceKind::kBottom) device = Device::unknown();

  std::vector<OperandView> ranked = operands;
  if (ranked.empty() && subject != nullptr) ranked.push_back(view(*subject, state));
  const Rank rank = result_rank(call, ranked);

  if (model.writes && first != 0) {
    write(first, state);
    if (call.result.role == Role::kTensor) return Value::of(first);
  }
  if (model.exposes && call.has_receiver && first != 0) {
    state.escape(first);
    if (observer_ != nullptr) observer_->escaped(first, block_);
  }
  set_gradient(call, first, state);
  if (call.result.role == Role::kNone) return {};
  if (call.result.role == Role::kDevice || call.result.role == Role::kOptions)
    return fresh(call.result.role, nullptr, state, 0);
  Object made;
  made.kind = call.result.role == Role::kList     ? ObjectKind::kList
              : call.result.role == Role::kTuple  ? ObjectKind::kTuple
              : call.result.role == Role::kModule ? ObjectKind::kModule
              : call.result.role == Role::kRecord ? ObjectKind::kRecord
                                                  : ObjectKind::kTensor;
  made.device = device;
  made.rank = rank;
  made.placed = placed;
  made.where = call.spot;
  made.escaped = model.exposes;
  if (placed == Placed::kComputed && first != 0 && device == first_device) {
    // Where it is follows from where its operand was put.
    const OperandView seen = view(*subject, state);
    if (model.view && seen.object.placed != Placed::kUnknown) {
      made.placed = seen.object.placed;
      made.where = seen.object.where;
    }
  }
  if (model.view && first != 0) {
    made.alias = state.objects.find(first)->alias;
    made.escaped = state.objects.find(first)->escaped;
  }
  if (made.kind == ObjectKind::kTensor) describe_result(call, first, made, state);
  if (device.kind == DeviceKind::kUnknown && made.kind == ObjectKind::kTensor && !mismatch)
    made.device = opaque(state, 0);
  return Value::of(make(state, 0, made));
}

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
      stores.emplace_back(&operand, outcome(call, summary.references[index], operand.role,
                                            2 + index, state));
    if (index < summary.modules.size() && operand.role == Role::kModule) {
      const Where& where = summary.modules[index];
      if (!(where.kind == Where::Kind::kOfParameter && where.parameter == index))
        moves.emplace_back(object_of(operand, state), substitute(call, where, 8 + index, state));
    }
  }
  const bool moves_self = call.has_receiver && call.receiver.role == Role::kModule &&
                          !(summary.self.kind == Where::Kind::kOfParameter &&
                            summary.self.parameter == kThisParameter);
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
  for (const auto& [id, device] : moves)
    set_device(id, device, Placed::kMoved, call.spot, state);
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

Value Interpreter::apply_unknown(const Call& call, State& state) {
  const bool modifies = ends_with(call.name, "_") || ends_with(call.name, "_out");
  const auto module_method = call.has_receiver && call.receiver.role == Role::kModule;
  if (call.library) {
    if (call.has_receiver) {
      const ObjectId self = object_of(call.receiver, state);
      if (call.receiver.role == Role::kTensor) {
        if (modifies) write(self, state);
      } else if (!module_method && self != 0 && call.receiver.pass == Pass::kMutable &&
                 call.receiver.role == Role::kList && call.result.role == Role::kNone) {
        lose(self, state);
      }
    }
    bool first = !call.has_receiver || call.receiver.role != Role::kTensor;
    for (const Operand& operand : call.arguments) {
      const ObjectId id = object_of(operand, state);
      if (id == 0) continue;
      const Object* object = state.objects.find(id);
      if (operand.pass == Pass::kMutable) {
        lose(id, state);
      } else if (object != nullptr && (object->kind == ObjectKind::kTensor ||
                                       object->kind == ObjectKind::kList)) {
        if (modifies && first) write(id, state);
        // A library object that is made from tensors may keep and change them.
        const bool keeps = call.has_receiver && call.receiver.role == Role::kNone &&
                           call.result.role == Role::kNone;
        if (call.form == CallForm::kConstruct || keeps) {
          state.escape(id);
          if (observer_ != nullptr) observer_->escaped(id, block_);
        }
      }
      first = false;
    }
    if (observer_ != nullptr && call.result.role != Role::kNone)
      observer_->unknown("no model for " + call.name);
    return fresh(call.result.role, call.result.record, state, 0);
  }

  if (observer_ != nullptr) {
    observer_->unknown("call of " + (call.name.empty() ? std::string("a function object") : call.name) +
                       ", whose body is not here");
    observer_->unknown_call();
  }
  if (call.has_receiver && call.receiver.pass == Pass::kMutable)
    lose(object_of(call.receiver, state), state);
  for (const Operand& operand : call.arguments) {
    const ObjectId id = object_of(operand, state);
    Object* object = state.objects.find(id);
    if (object == nullptr) continue;
    if (operand.pass == Pass::kMutable || object->kind == ObjectKind::kModule) {
      lose(id, state);
    } else {
      state.escape(id);
      if (observer_ != nullptr) observer_->escaped(id, block_);
      std::vector<ObjectId> parts;
      for (const auto& [key, part] : state.fields)
        if (key.first == id) parts.push_back(part.object);
      for (const ObjectId part : parts)
        if (part != 0) {
          state.escape(part);
          if (observer_ != nullptr) observer_->escaped(part, block_);
        }
    }
  }
  forget_globals(state);
  return fresh(call.result.role, call.result.record, state, 0);
}

}  // namespace xfer::analyzer
