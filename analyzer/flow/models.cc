#include "analyzer/flow/models.h"

#include "analyzer/flow/data.h"
#include "analyzer/flow/freed.h"
#include "analyzer/flow/handed.h"
#include "analyzer/flow/lists.h"
#include "analyzer/flow/memory.h"
#include "analyzer/flow/modules.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/operations.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/transfers.h"
#include "analyzer/flow/unknown_calls.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

/// A module that this function does not know to have been moved.
void load_module(Step& step, ObjectId id, const Call& call) {
  hand_to_fields(step, id, id, true);
  set_device(step, id, Device::unknown(), Placed::kUnknown, call.spot);
}

/// `jit::load(file)`: without a device, the module is where it was saved.
Value loaded(Step& step, const Call& call) {
  const Value made = step.fresh(call.result, 0);
  if (Object* module = step.find(made.object)) {
    const std::optional<Device> device = device_argument(step, call, false);
    module->device = device ? *device : step.opaque(1);
    if (!device) step.symbols[module->device.symbol].loaded = true;
    module->placed_at = call.spot;
  }
  return made;
}

/// `torch::load(x, file)`. A module that was moved is taken to have been saved where it is; any
/// other, and a tensor, may come from anywhere, unless a device is given.
void load_file(Step& step, const Call& call) {
  if (call.arguments.empty()) return;
  const Operand& target = call.arguments.front();
  const std::optional<Device> device = device_argument(step, call, false);
  const ObjectId id = step.object_of(target);
  const Object* object = step.find(id);
  if (target.role == Role::kTensor && target.place) {
    const Value read = step.fresh(Role::kTensor, 0);
    Object* made = step.find(read.object);
    if (device) made->device = *device;
    made->placed = device ? Placed::kMoved : Placed::kUnknown;
    made->placed_at = call.spot;
    return assign(step, target, read);
  }
  if (target.role != Role::kModule || object == nullptr) return lose(step, id);
  if (device)
    set_device(step, id, *device, Placed::kMoved, call.spot);
  else if (object->placed != Placed::kMoved)
    load_module(step, id, call);
  step.write(id);
}

/// `x.reset()`: it holds no tensor any more; those who share it keep theirs.
Value release(Step& step, const Call& call) {
  if (call.receiver.role != Role::kTensor) return apply_unknown(step, call);
  const Value empty = step.fresh(Role::kTensor, 0);
  step.find(empty.object)->device = Device::bottom();
  assign(step, call.receiver, empty);
  return {};
}

/// `device.set_index(1)`.
void set_index(Step& step, const Call& call) {
  const Device before = step.value(call.receiver.value).device;
  const std::optional<Device> given = device_argument(step, call, false);
  if (before.is_cpu()) return;
  const bool known = before.is_cuda() && given && given->is_indexed();
  const Device after = known ? *given : step.opaque(0);
  if (!known) {
    step.symbols[after.symbol].may_cpu |= step.symbols.may_be_cpu(before);
    step.symbols[after.symbol].may_cuda |= step.symbols.may_be_cuda(before);
  }
  assign(step, call.receiver, Value::of(after));
}

}  // namespace

Value apply_model(Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  // A constructed object that requires leaf tensors keeps them, whatever it wants of them.
  if (model.requires_ == Requirement::kLeaf && call.form == CallForm::kConstruct)
    return apply_unknown(step, call);
  const ObjectId receiver = call.has_receiver ? step.object_of(call.receiver) : ObjectId();
  if (step.unit.follows_memory && model.kind == CallKind::kPlain) use_memory(step, call);
  switch (model.kind) {
    case CallKind::kTransfer: return apply_transfer(step, call);
    case CallKind::kMove: return move_module(step, call);
    case CallKind::kRegister: return register_parts(step, call);
    case CallKind::kDeviceQuery: {
      if (call.result.role != Role::kDevice && call.result.role != Role::kOptions) return {};
      const Value held = step.value(call.receiver.value);
      Device device = Device::unknown();
      if (held.kind == ValueKind::kObject) device = step.device_of(held.object);
      if (held.kind == ValueKind::kDevice || held.kind == ValueKind::kOptions) device = held.device;
      if (!call.has_receiver && !call.arguments.empty())
        device = step.device_of(step.object_of(call.arguments.front()));
      if (call.result.role == Role::kDevice) return Value::of(device);
      Value options = Value::options(device, true);
      if (const Object* asked = step.find(receiver)) options.element = asked->element;
      if (held.kind == ValueKind::kOptions) options.element = held.element;
      return options;
    }
    case CallKind::kDeviceChoice: {
      if (call.result.role != Role::kDevice) return {};
      const Device device = step.opaque(0);
      step.symbols[device.symbol].may_cpu = step.symbols[device.symbol].may_cuda = true;
      step.symbols[device.symbol].chosen = call.spot;
      return Value::of(device);
    }
    case CallKind::kDevice: {
      const std::optional<Device> device = device_argument(step, call, false);
      return Value::of(device ? *device : step.opaque(0));
    }
    case CallKind::kOptions: {
      const std::optional<Device> device = device_argument(step, call, false);
      const Value held = call.has_receiver ? step.value(call.receiver.value) : Value{};
      if (device) return options_value(step, call, Value::options(*device, true));
      if (held.kind == ValueKind::kOptions) return options_value(step, call, held);
      if (held.kind == ValueKind::kObject)
        return options_value(step, call, Value::options(step.device_of(held.object), true));
      return options_value(step, call, Value::options(step.unit.default_place, false));
    }
    case CallKind::kAppend: {
      if (call.receiver.role == Role::kDevices) {
        // `emplace_back(kCUDA, 1)` makes a device of what it is given.
        const std::optional<Device> device = device_argument(step, call, false);
        const bool one = call.arguments.size() == 1 && device;
        add_device(step, receiver, one ? *device : Device::unknown());
        return {};
      }
      for (const Operand& operand : call.arguments) {
        const ObjectId part = step.object_of(operand);
        if (!held_here(step, receiver)) share_whole(step, part);
        if (step.find(receiver) == nullptr || part == receiver) continue;
        if (part || operand.role != Role::kNone) add_element(step, receiver, part);
      }
      step.write(receiver);
      if (call.result.role == Role::kNone) return {};
      return step.fresh(call.result, 0);
    }
    case CallKind::kLoad:
      if (call.result.role == Role::kModule) return loaded(step, call);
      load_file(step, call);
      return {};
    case CallKind::kAllocate: return allocate(step, call);
    case CallKind::kFree:
      if (call.has_receiver) return release(step, call);
      free_memory(step, call);
      return {};
    case CallKind::kCopy: copy_memory(step, call); return {};
    case CallKind::kFresh: return step.fresh(call.result, 0);
    case CallKind::kSetIndex: set_index(step, call); return {};
    case CallKind::kPresence:
    case CallKind::kSetDevice:
    case CallKind::kSynchronize: return {};
    case CallKind::kOpen:
    case CallKind::kTie:
    case CallKind::kMakeHandle:
    case CallKind::kElement:
    case CallKind::kTuple:
    case CallKind::kPass:
    case CallKind::kPlain: break;
  }
  return apply_plain(step, call);
}

}  // namespace xfer::analyzer
