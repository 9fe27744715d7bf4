#include "analyzer/flow/memory.h"

#include <algorithm>

#include "analyzer/flow/freed.h"
#include "analyzer/flow/let_go.h"
#include "analyzer/flow/memory_copies.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

void follow_on_device(Step& step, const Call& call, const Operand& operand,
                      bool reads_first = false) {
  tell_if_freed(step, call, operand);
  step.events.followed_on_device(
      {step.fact, step.block, &call, step.view(operand), reads_first, step.state.current});
}

/// The kernel's use of one of its arguments: its body may be in another file.
/// Null: the use is unknown.
const ParameterUse* use_of(const Step& step, const Call& call, std::size_t argument) {
  if (call.kernel) {
    const Summary& elsewhere = step.surroundings.summary_of(call.kernel);
    if (elsewhere.known && argument < elsewhere.kernel.size()) return &elsewhere.kernel[argument];
  }
  return call.arguments[argument].use.get();
}

/// Pinned memory of the host, or memory of which the program may say that it is.
bool may_be_pinned(const Object& object) {
  return object.memory == Memory::kPinned ||
         (object.memory == Memory::kUnknown && object.device.is_symbol());
}

/// The copy is done when its call returns: an asynchronous one to memory of the host that is not
/// known to be pinned is, or may be.
bool done_at_return(const Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  if (!model.asynchronous || model.operands.empty()) return true;
  if (call.direction == Direction::kHostToDevice || call.direction == Direction::kDeviceToDevice)
    return false;
  const Object* to = call.arguments.size() > model.operands[0]
                         ? step.find(step.object_of(call.arguments[model.operands[0]]))
                         : nullptr;
  const bool beside = to != nullptr && (to->device.is_cuda() || to->memory == Memory::kPinned ||
                                        to->memory == Memory::kManaged);
  return !beside;
}

/// A kernel that is given memory that the host follows too may be at it until somebody waits.
void run_beside(Step& step, const Operand& operand, const PointerUse& use, Object& object) {
  const bool shared = object.memory == Memory::kPinned || object.memory == Memory::kManaged;
  // The rest of memory of which the kernel is given a part is the host's.
  if (!shared || !operand.place || use.polls) return;
  if (use.writes) object.arriving = step.fact;
  if (use.writes || use.only_reads) object.leaving = step.fact;
}

bool is_launch(const Step& step, FactId work) {
  const auto begun = step.tables.begun.find(work);
  return begun != step.tables.begun.end() &&
         step.facts.calls[begun->second].form == CallForm::kKernel;
}

/// A kernel is given an object: it does with what each field points to what its body says, and may
/// do anything with what is behind other objects in it.
void launch_on_parts(Step& step, const Call& call, std::size_t argument, ObjectId object) {
  const Operand& operand = call.arguments[argument];
  const ParameterUse* known = use_of(step, call, argument);
  if (known == nullptr || std::ranges::any_of(known->fields, [](const auto& field) {
        return !field.second.only_reads;
      }))
    step.events.written_behind();
  std::map<ObjectId, std::vector<std::string>> pointers;
  for (const auto& [key, value] : step.state.fields) {
    const Object* held = step.find(value.object);
    if (key.first == object && key.second < kFirstElement && held != nullptr &&
        held->kind == ObjectKind::kMemory)
      pointers[value.object].push_back(step.unit.fields[key.second].name);
  }
  for (const ObjectId part : step.state.parts_of(object)) {
    const auto pointer = pointers.find(part);
    if (known == nullptr || pointer == pointers.end()) {
      step.read(part);
      step.write(part);
      continue;
    }
    for (const std::string& name : pointer->second) {
      const auto use = known->fields.find(name);
      if (use == known->fields.end()) continue;
      step.read(part);
      OperandView view = step.view(operand, part, operand.spot);
      view.path = name;
      // It may leave alone what it only hands on.
      if (use->second.writes || use->second.reads_first)
        step.events.followed_on_device(
            {step.fact, step.block, &call, view, use->second.reads_first, step.state.current});
      if (!use->second.only_reads) step.write(part);
    }
  }
}

}  // namespace

/// The host follows a pointer into an object.
Value apply(Step& step, const fact::Access& access) {
  const ObjectId id = step.object(access.pointer);
  const Object* touched = step.find(id);
  if (touched == nullptr) return {};
  const bool memory = touched->kind == ObjectKind::kMemory;
  HostAccessEvent event{step.fact, step.block, &access, step.spot, id, *touched};
  event.object.device = step.device_of(id);
  step.events.host_access(event);
  if (access.polls) step.waited();
  const auto tell = [&](DataUse use) {
    step.tell(use, nullptr, access.place, access.spot, Role::kTensor, *touched);
  };
  if (touched->freed && is_followed(step, access.place)) tell(DataUse::kFreed);
  // The elements that the loop leaves out may be the kernel's.
  const auto meets = [&](FactId work) { return work && !(access.part && is_launch(step, work)); };
  if (meets(touched->arriving) && !access.writes) tell(DataUse::kEarlyRead);
  if (memory && access.writes && meets(touched->leaving)) tell(DataUse::kEarlyWrite);
  if (memory) step.read(id);
  if (memory && access.writes) step.write(id);
  return {};
}

Value apply(Step& step, const fact::KeepPointer& kept) {
  step.events.kept_pointer({step.fact, step.block, step.spot, kept.spot, step.object(kept.object)});
  return {};
}

Value allocate(Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  if (!step.unit.follows_memory) return step.fresh(call.result, 0);
  Object made;
  made.kind = ObjectKind::kMemory;
  made.placed = Placed::kMade;
  made.placed_at = call.spot;
  if (model.result == Placement::kCuda) {
    // Of another device than that on which the function begins, which one.
    const bool named = step.state.current.is_cuda() && step.state.current.index >= 0;
    made.device = named ? step.state.current : Device::cuda(Device::kCurrent);
  } else if (model.result == Placement::kCpu) {
    made.device = Device::cpu();
    made.memory = model.pins ? Memory::kPinned : Memory::kPageable;
  } else {
    made.device = step.opaque(0);
    made.memory = model.managed ? Memory::kManaged : Memory::kUnknown;
    made.escaped = !model.managed;
  }
  if (call.result.role == Role::kMemory) return Value::of(step.make(0, made));
  if (call.arguments.empty()) return {};
  const Operand& pointer = call.arguments.front();
  // `cudaMalloc(&object, sizeof *object)`, of an object that holds pointers: it is a new one.
  if (pointer.role == Role::kRecord && pointer.place) {
    assign(step, pointer, step.fresh(Role::kRecord, 0));
    return {};
  }
  if (!pointer.address) return {};
  if (pointer.place) tell_if_let_go(step, step.facts.places[pointer.place].root);
  assign(step, pointer, Value::of(step.make(0, made)));
  return {};
}

void note_allocated(Step& step, const Call& call, const Allocated& told, ObjectId memory) {
  if (!memory || (!told.size.bytes && !told.untouched)) return;
  step.tables.amounts.rooms[memory] = {step.facts.calls.id_of(call), told.size, told.untouched};
}

void copy_memory(Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  if (done_at_return(step, call)) step.waited(&call);
  if (model.operands.size() < 2 ||
      call.arguments.size() <= std::max(model.operands[0], model.operands[1]))
    return;
  for (const unsigned operand : {model.operands[0], model.operands[1]})
    tell_if_freed(step, call, call.arguments[operand]);
  auto event = step.event<MemoryCopyEvent>(call);
  event.copy = {step.facts.calls.id_of(call)};
  event.direction = call.direction;
  event.to = step.view(call.arguments[model.operands[0]]);
  event.from = step.view(call.arguments[model.operands[1]]);
  compare(step, event);
  step.events.memory_copy(event);
  step.write(event.to.id);
  Object* target = step.find(event.to.id);
  Object* source = step.find(event.from.id);
  if (model.asynchronous) {
    step.begins(call);
    // A copy to or from pageable memory does not come back before that memory is done with.
    if (target != nullptr && may_be_pinned(*target) && call.direction == Direction::kDeviceToHost)
      target->arriving = step.fact;
    if (source != nullptr && may_be_pinned(*source) && call.direction == Direction::kHostToDevice)
      source->leaving = step.fact;
  }
  keep(step, event);
}

void launch(Step& step, const Call& call) {
  step.begins(call);
  for (const auto& [id, object] : step.state.objects)
    if (step.origins[id].origin == Origin::kVariable && step.origins[id].b == kDeviceSymbol)
      step.read(id);
  for (std::size_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    const ObjectId id = step.object_of(operand);
    const Object* object = step.find(id);
    if (object == nullptr) continue;
    if (operand.role == Role::kMemory) {
      const ParameterUse* known = use_of(step, call, index);
      PointerUse use{operand.pass == Pass::kValue, false, false};
      if (known != nullptr) use = *known;
      if (!use.unused) follow_on_device(step, call, operand, use.reads_first);
      if (!use.only_reads) step.write(id);
      if (Object* shared = step.find(id)) run_beside(step, operand, use, *shared);
      continue;
    }
    launch_on_parts(step, call, index, id);
  }
}

void use_memory(Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    if (operand.role != Role::kMemory) continue;
    const ObjectId id = step.object_of(operand);
    const bool named =
        model.operands.empty() ||
        std::find(model.operands.begin(), model.operands.end(), index) != model.operands.end();
    if (model.requires_ == Requirement::kCuda && named) follow_on_device(step, call, operand);
    if (Object* object = step.find(id); object != nullptr && (model.pins || model.unpins))
      object->memory = model.pins ? Memory::kPinned : Memory::kUnknown;
    if (operand.pass == Pass::kMutable && !model.pins && !model.unpins) step.write(id);
  }
}

void hand_over_memory(Step& step, const Call& call, const Operand& operand) {
  if (operand.address)
    return assign(step, operand, step.fresh(Role::kMemory, 2 + operand.spot.number()));
  const ObjectId id = step.object_of(operand);
  if (!id || operand.pass != Pass::kMutable) return;
  // The algorithms of the standard library keep nothing; its containers do.
  const bool keeps =
      !call.system && (!call.library || call.has_receiver || call.form == CallForm::kConstruct);
  if (keeps) step.escape(id);
  step.write(id);
}

void write_behind(Step& step, ObjectId whole) {
  const Object* object = step.find(whole);
  if (object == nullptr || object->kind == ObjectKind::kMemory || !step.unit.follows_memory) return;
  step.events.written_behind();
  for (const ObjectId memory : memory_behind(step, whole)) step.write(memory);
}

Value apply_system(Step& step, const Call& call) {
  for (const Operand& operand : call.arguments) {
    if (operand.role == Role::kMemory)
      hand_over_memory(step, call, operand);
    else if (operand.pass == Pass::kMutable)
      lose(step, step.object_of(operand), ToldBy::kFields);
    else
      share(step, step.object_of(operand));
  }
  return step.fresh(call.result, 0);
}

}  // namespace xfer::analyzer
