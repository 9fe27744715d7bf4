#include "analyzer/flow/step.h"

#include "analyzer/flow/strictness.h"

namespace xfer::analyzer {
namespace {

Observer& nobody() {
  static Observer deaf;
  return deaf;
}

}  // namespace

Step::Step(FlowTables& shared, State& changed, Observer* observer, const Running& running)
    : unit(shared.unit),
      facts(shared.facts),
      origins(shared.origins),
      symbols(shared.symbols),
      surroundings(shared.surroundings),
      tables(shared),
      state(changed),
      events(observer == nullptr ? nobody() : *observer),
      fact(running.fact),
      block(running.block),
      spot(running.spot),
      observed_(observer != nullptr) {}

Value Step::value(ValueId id) const {
  const Value* found = !id ? nullptr : state.temporaries.find(id);
  return found == nullptr ? Value{} : *found;
}

ObjectId Step::object_of(const Operand& operand) const {
  const Value held = value(operand.value);
  return held.kind == ValueKind::kObject ? held.object : ObjectId();
}

OperandView Step::view(const Operand& operand) const {
  return view(operand, object_of(operand), operand.spot);
}

OperandView Step::view(const Operand& operand, ObjectId id, SpotId spot_id) const {
  OperandView seen;
  seen.operand = &operand;
  seen.spot = spot_id;
  seen.id = id;
  const Object* object = state.objects.find(seen.id);
  if (object == nullptr) {
    seen.id = {};
    return seen;
  }
  seen.object = *object;
  seen.module = object->kind == ObjectKind::kModule;
  // A registered part shows the placement of its module.
  for (ObjectId at = object->parent; at;) {
    const Object* parent = state.objects.find(at);
    if (parent == nullptr) break;
    seen.object.placed = parent->placed;
    seen.object.placed_at = parent->placed_at;
    at = parent->parent;
  }
  seen.object.device = state.device_of(seen.id);
  return seen;
}

std::vector<OperandView> Step::parts_of(const Operand& operand, ObjectId whole) const {
  std::vector<OperandView> parts;
  const auto list = tables.lists.find(whole);
  for (const auto& [key, part] : state.fields) {
    if (key.first != whole || key.second < kFirstElement || key.second >= kFirstKeyed ||
        !part.object)
      continue;
    const std::size_t index = key.second.number() - kFirstElement.number();
    const bool written = list != tables.lists.end() && index < list->second->spots.size();
    parts.push_back(
        view(operand, part.object, written ? list->second->spots[index] : operand.spot));
  }
  return parts;
}

bool Step::is_global_array(const Object& memory) const {
  const OriginTable::Entry& entry = origins[memory.alias];
  return entry.origin == Origin::kVariable && entry.b != kDeviceSymbol;
}

bool Step::from_outside(ObjectId id) const {
  const Object* object = state.objects.find(id);
  if (object == nullptr) return true;
  for (ObjectId root = object->alias; root;) {
    const OriginTable::Entry& entry = origins[root];
    if (entry.origin == Origin::kFact) return false;
    if (entry.origin != Origin::kField && entry.origin != Origin::kOlder) return true;
    const Object* holder = state.objects.find(ObjectId(entry.a));
    if (holder != nullptr && holder->kind == ObjectKind::kModule) return true;
    root = ObjectId(entry.a);
  }
  return true;
}

ObjectId Step::make(std::uint32_t sub, Object object) {
  return put(origins.intern(Origin::kFact, fact, sub, 0, block), std::move(object));
}

ObjectId Step::find_global(std::uint32_t sub, Object object) {
  return put(origins.intern(Origin::kGlobal, fact, sub, 0, block), std::move(object));
}

ObjectId Step::find_named(VariableId variable, std::uint32_t sub, Object object) {
  const ObjectId id = origins.intern(Origin::kVariable, variable, sub, 0, kNoBlock);
  if (find(id) != nullptr) return id;
  object.alias = id;
  object.version = first_version(id);
  state.objects[id] = object;
  return id;
}

ObjectId Step::put(ObjectId id, Object object) {
  retire(id, 0);
  if (!object.alias) object.alias = id;
  if (!object.version) object.version = first_version(id);
  if (object.source) object.copy_version = object.version;
  state.objects[id] = object;
  return id;
}

/// The fact makes the object again: what it made before, and the parts that this one had, are
/// older.
void Step::retire(ObjectId id, unsigned depth) {
  if (state.objects.find(id) != nullptr && depth < 4) {
    std::vector<ObjectId> parts;
    for (const auto& [key, object] : state.objects)
      if (origins[key].origin == Origin::kField && origins[key].a == id.number())
        parts.push_back(key);
    for (const ObjectId part : parts) retire(part, depth + 1);
  }
  state.retire(first_version(id), origins.intern_version(Origin::kOlder, id, 0, 0, block));
}

Device Step::opaque(std::uint32_t sub) {
  const SymbolId symbol = symbol_of_result(sub);
  symbols[symbol].block = block;
  symbols[symbol].made = spot;
  symbols[symbol].one_of.clear();
  symbols[symbol].all_of.clear();
  state.retire_symbol(symbol, symbols.older(symbol));
  return Device::of(symbol);
}

Device Step::told(std::uint32_t sub, Holder holder) {
  const Device device = opaque(sub);
  symbols[device.symbol].held = holder;
  return device;
}

Value Step::fresh(ValueType type, std::uint32_t sub) {
  Object object;
  switch (type.role) {
    case Role::kNone:
    case Role::kIndex:
    case Role::kScalarType: return {};
    case Role::kDevice: return Value::of(opaque(sub));
    case Role::kOptions: return Value::options(opaque(sub), true);
    case Role::kMemory:
      object.kind = ObjectKind::kMemory;
      object.escaped = true;  // whose it is is not known
      object.device = opaque(sub);
      place_elements(object, type.elements);
      break;
    case Role::kTensor: object.device = opaque(sub); break;
    case Role::kModule:
      object.kind = ObjectKind::kModule;
      object.strict = class_strict(unit, surroundings, type.record);
      break;
    case Role::kList:
    case Role::kDevices: object.kind = ObjectKind::kList; break;
    case Role::kTuple: object.kind = ObjectKind::kTuple; break;
    case Role::kRecord: object.kind = ObjectKind::kRecord; break;
  }
  return Value::of(make(sub, object));
}

void Step::write(ObjectId id) {
  if (!id) return;
  const VersionId version = origins.intern_version(Origin::kWrite, fact, 0, 0, block);
  Object* object = state.objects.find(id);
  if (object == nullptr) return;
  // A tensor that was undefined is somewhere now.
  if (object->kind == ObjectKind::kTensor && object->device.kind == DeviceKind::kBottom)
    object->device = Device::unknown();
  const ObjectId alias = object->alias;
  if (object->version != version)
    state.retire(version, origins.intern_version(Origin::kOlder, version, 0, 0, block));
  if (observed())
    for (const auto& [key, other] : state.objects)
      if (key == id || other.alias == alias) events.written(key, block);
  state.write(id, version);
  // Two pointers that are given are taken to point to different memory; one from nowhere may point
  // anywhere.
  const Object* written = state.objects.find(id);
  const bool memory = written->kind == ObjectKind::kMemory;
  if (memory ? written->escaped || is_global_array(*written) : from_outside(id)) outside_written();
}

void Step::write_everything() {
  std::vector<ObjectId> all;
  for (const auto& [id, object] : state.objects)
    if (object.kind == ObjectKind::kTensor || object.kind == ObjectKind::kMemory) all.push_back(id);
  for (const ObjectId id : all) write(id);
  // A graph allocates memory at one address each time.
  for (auto& [id, object] : state.objects) object.freed = {};
  events.everything_written();
}

void Step::outside_written() {
  events.outside_written(block);
  state.fields.erase_if([&](const auto& entry) {
    return entry.first.second >= kFirstKeyed && from_outside(entry.first.first);
  });
  std::erase_if(state.copies, [](const Copy& copy) { return copy.changeable; });
  for (auto& [id, object] : state.objects)
    if (object.source && object.device.is_cpu() && from_outside(object.source)) object.source = {};
}

void Step::renumber(ObjectId id) {
  events.renumbered(id, block);
  std::erase_if(state.copies, [&](const Copy& copy) {
    return !copy.rests_on.empty() &&
           (!id || std::ranges::find(copy.rests_on, id) != copy.rests_on.end());
  });
}

void Step::escape(ObjectId id) {
  state.escape(id);
  events.escaped(id, block);
}

void Step::waited(const Call* by) {
  events.waited();
  const auto others = by == nullptr ? facts.not_waited_for.end()
                                    : facts.not_waited_for.find(facts.calls.id_of(*by));
  const auto goes_on = [&](FactId begun) {
    if (others == facts.not_waited_for.end()) return false;
    const auto call = tables.begun.find(begun);
    return call != tables.begun.end() &&
           std::ranges::find(others->second, call->second) != others->second.end();
  };
  for (auto& [id, object] : state.objects) {
    if (!goes_on(object.arriving)) object.arriving = {};
    if (!goes_on(object.leaving)) object.leaving = {};
  }
}

ObjectKind kind_of(Role role) {
  switch (role) {
    case Role::kTensor: return ObjectKind::kTensor;
    case Role::kModule: return ObjectKind::kModule;
    case Role::kList:
    case Role::kDevices: return ObjectKind::kList;
    case Role::kTuple: return ObjectKind::kTuple;
    case Role::kMemory: return ObjectKind::kMemory;
    default: return ObjectKind::kRecord;
  }
}

const Operand* argument(const Call& call, std::uint32_t parameter) {
  if (parameter == kThisParameter) return call.has_receiver ? &call.receiver : nullptr;
  return parameter < call.arguments.size() ? &call.arguments[parameter] : nullptr;
}

std::optional<Device> device_argument(const Step& step, const Call& call, bool tensors) {
  // A call that makes a device or options leaves open which device it is until it is used.
  const bool used = call.model == nullptr || (call.model->kind != CallKind::kDevice &&
                                              call.model->kind != CallKind::kOptions);
  for (const Operand& operand : call.arguments) {
    const Value held = step.value(operand.value);
    if (held.kind == ValueKind::kDevice || (held.kind == ValueKind::kOptions && held.has_device))
      return used ? step.state.now(held.device) : held.device;
    if (held.kind == ValueKind::kNone &&
        (operand.role == Role::kDevice || operand.role == Role::kOptions))
      return Device::unknown();
    if (tensors && operand.role == Role::kTensor)
      return step.state.device_of(step.object_of(operand));
  }
  return std::nullopt;
}

}  // namespace xfer::analyzer
