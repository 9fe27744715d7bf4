// Memory that is followed by its pointers: what allocates it, copies it, and what kernels may do to
// it.

#include <algorithm>

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

Value Interpreter::allocate(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  if (!unit_.follows_memory) return fresh(call.result, state, 0);
  Object made;
  made.kind = ObjectKind::kMemory;
  made.placed = Placed::kMade;
  made.where = call.spot;
  if (model.result == Placement::kCuda) {
    made.device = Device::cuda(Device::kCurrent);
  } else if (model.result == Placement::kCpu) {
    made.device = Device::cpu();
    made.memory = model.pins ? Memory::kPinned : Memory::kPageable;
  } else {
    made.device = opaque(state, 0);
    made.escaped = true;
  }
  const Value result = Value::of(make(state, 0, made));
  if (call.result.role == Role::kMemory) return result;
  if (!call.arguments.empty() && call.arguments.front().address)
    assign(call.arguments.front(), result, state);
  return {};
}

void Interpreter::free_memory(const Call& call, State& state) {
  if (call.model->result != Placement::kCpu) waited(state);
  if (call.arguments.empty()) return;
  const ObjectId id = object_of(call.arguments.front(), state);
  if (Object* object = state.objects.find(id)) {
    object->device = Device::unknown();
    object->escaped = true;
    write(id, state);
  }
}

namespace {

bool same(const Extent& a, const Extent& b) {
  return a.comparable && b.comparable && a.to == b.to && a.from == b.from && a.bytes == b.bytes;
}

bool mirrored(const Extent& a, const Extent& b) {
  return a.comparable && b.comparable && a.to == b.from && a.from == b.to && a.bytes == b.bytes;
}

}  // namespace

void Interpreter::copy_memory(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  if (!model.asynchronous) waited(state);
  if (model.operands.size() < 2 ||
      call.arguments.size() <= std::max(model.operands[0], model.operands[1]))
    return;
  MemoryCopyEvent event{};
  event.fact = fact_;
  event.block = block_;
  event.call = &call;
  event.to = view(call.arguments[model.operands[0]], state);
  event.from = view(call.arguments[model.operands[1]], state);
  const ObjectId to = event.to.id;
  const ObjectId from = event.from.id;
  const bool outside = from_outside(to, state) || from_outside(from, state) || call.extent.outside;
  event.certain =
      to != 0 && from != 0 && to != from && !event.to.object.escaped && !event.from.object.escaped;
  event.changeable = outside;
  for (const Copy& copy : state.copies) {
    const Extent& extent = facts_.calls[copy.call].extent;
    if (!event.certain || copy.transfer == fact_) continue;
    const Object& target = event.to.object;
    const Object& source = event.from.object;
    if (copy.source == from && copy.result == to && copy.source_version == source.version &&
        copy.result_version == target.version && same(extent, call.extent))
      event.earlier = copy;
    if (copy.source == to && copy.result == from && copy.source_version == target.version &&
        copy.result_version == source.version && mirrored(extent, call.extent))
      event.away = copy;
  }
  if (observer_ != nullptr) observer_->memory_copy(event);
  write(to, state);
  Object* target = state.objects.find(to);
  Object* source = state.objects.find(from);
  if (target == nullptr || source == nullptr) return;
  if (model.asynchronous) {
    // A copy to or from pageable memory does not come back before that memory is done with.
    if (target->memory == Memory::kPinned && call.direction == Direction::kDeviceToHost)
      target->arriving = fact_;
    if (source->memory == Memory::kPinned && call.direction == Direction::kHostToDevice)
      source->leaving = fact_;
  }
  if (!event.certain) return;
  Copy copy{from, source->version, target->device, to, target->version, fact_, true, outside};
  copy.call = static_cast<std::uint32_t>(&call - facts_.calls.data());
  state.copies.push_back(copy);
}

/// Whatever a kernel is given a pointer to it may read, and unless the pointer says otherwise,
/// write.
void Interpreter::launch(const Call& call, State& state) {
  for (const Operand& operand : call.arguments) {
    const ObjectId id = object_of(operand, state);
    const Object* object = state.objects.find(id);
    if (object == nullptr) continue;
    if (operand.role == Role::kMemory) {
      follow_on_device(call, operand, state);
      if (operand.pass == Pass::kMutable) write(id, state);
      continue;
    }
    for (const ObjectId part : state.parts_of(id)) {
      if (observer_ != nullptr) observer_->read(part, fact_, block_);
      write(part, state);
    }
  }
}

void Interpreter::follow_on_device(const Call& call, const Operand& operand, State& state) {
  if (observer_ == nullptr) return;
  observer_->followed_on_device({fact_, block_, &call, view(operand, state)});
}

/// Of a row for a function that computes: cudaMemset, cudaHostRegister.
void Interpreter::use_memory(const Call& call, State& state) {
  const FunctionModel& model = *call.model;
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    if (operand.role != Role::kMemory) continue;
    const ObjectId id = object_of(operand, state);
    const bool named =
        model.operands.empty() ||
        std::find(model.operands.begin(), model.operands.end(), index) != model.operands.end();
    if (model.requires_ == Requirement::kCuda && named) follow_on_device(call, operand, state);
    if (model.pins)
      if (Object* object = state.objects.find(id)) object->memory = Memory::kPinned;
    if (operand.pass == Pass::kMutable && !model.pins) write(id, state);
  }
}

/// A function in C of the system or the CUDA toolkit changes what it is given, and nothing else.
Value Interpreter::apply_system(const Call& call, State& state) {
  for (const Operand& operand : call.arguments) {
    if (operand.role == Role::kMemory)
      hand_over_memory(call, operand, state);
    else if (operand.pass == Pass::kMutable)
      lose(object_of(operand, state), state);
    else
      share(object_of(operand, state), state);
  }
  return fresh(call.result, state, 0);
}

/// What a function whose body is not here may do to memory that it is given a pointer to.
void Interpreter::hand_over_memory(const Call& call, const Operand& operand, State& state) {
  if (operand.address) return assign(operand, fresh(Role::kMemory, state, 2 + operand.spot), state);
  const ObjectId id = object_of(operand, state);
  if (id == 0 || operand.pass != Pass::kMutable) return;
  // The algorithms of the standard library keep nothing; its containers do.
  const bool keeps =
      !call.system && (!call.library || call.has_receiver || call.form == CallForm::kConstruct);
  if (keeps) {
    state.escape(id);
    if (observer_ != nullptr) observer_->escaped(id, block_);
  }
  write(id, state);
}

}  // namespace xfer::analyzer
