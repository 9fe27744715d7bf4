#include "analyzer/flow/new_values.h"

#include <optional>
#include <utility>
#include <vector>

#include "analyzer/flow/join.h"

namespace xfer::analyzer {
namespace {

/// The number of a batch's place, among what a fact makes.
constexpr std::uint32_t kBatch = 0x700;

}  // namespace

/// The memory of a variable of the device, which is there for as long as the program.
ObjectId find_symbol(Step& step, VariableId variable) {
  Object symbol;
  symbol.kind = ObjectKind::kMemory;
  symbol.device = Device::cuda(Device::kCurrent);
  symbol.placed = Placed::kMade;
  symbol.placed_at = step.spot;
  return step.find_named(variable, kDeviceSymbol, symbol);
}

Value apply(Step& step, const fact::Fresh& what) {
  if (what.known == Known::kDeviceVariable && what.variable)
    return Value::of(find_symbol(step, what.variable));
  if (what.reason != nullptr) step.events.unknown(what.reason);
  const Value made = step.fresh(what.type, 0);
  Object* object = step.find(made.object);
  switch (what.known) {
    case Known::kNothing: break;
    case Known::kDeviceChoice:
      if (what.kind && step.value(what.kind).device.is_cpu()) return Value::of(Device::cpu());
      if (made.device.is_symbol()) {
        Symbol& symbol = step.symbols[made.device.symbol];
        symbol.always_cuda = what.kind && step.value(what.kind).device.is_cuda();
        symbol.may_cpu = !symbol.always_cuda;
        symbol.may_cuda = true;
        symbol.chosen = step.spot;
      }
      break;
    case Known::kEmpty:
      if (what.type.role == Role::kDevice) return Value::of(Device::bottom());
      if (object != nullptr) object->device = Device::bottom();
      break;
    case Known::kDeviceVariable:
      if (object == nullptr) break;
      object->device = Device::cuda(Device::kCurrent);
      object->placed = Placed::kMade;
      object->placed_at = step.spot;
      break;
    case Known::kHost:
    case Known::kHostVariable:
      if (object == nullptr) break;
      object->device = Device::cpu();
      object->memory = Memory::kPageable;
      object->placed = Placed::kMade;
      object->placed_at = step.spot;
      object->escaped = what.known == Known::kHostVariable;
      break;
  }
  return made;
}

Value apply(Step& step, const fact::Select& select) {
  const Value a = step.value(select.a);
  const Value b = step.value(select.b);
  if (a == b && a.kind != ValueKind::kNone) return a;
  if (a.kind == ValueKind::kNone || a.kind != b.kind) return step.fresh(select.type, 0);
  if (a.kind == ValueKind::kDevice || a.kind == ValueKind::kOptions) {
    Device device = a.device;
    if (!(a.device == b.device)) {
      const bool may_cpu = step.symbols.may_be_cpu(a.device) || step.symbols.may_be_cpu(b.device);
      const bool may_cuda =
          step.symbols.may_be_cuda(a.device) || step.symbols.may_be_cuda(b.device);
      device = step.opaque(0);
      Symbol& symbol = step.symbols[device.symbol];
      symbol.may_cpu |= may_cpu;
      symbol.may_cuda |= may_cuda;
      symbol.chosen = step.spot;
    }
    return a.kind == ValueKind::kDevice ? Value::of(device)
                                        : Value::options(device, a.has_device || b.has_device);
  }
  const Object* left = step.find(a.object);
  const Object* right = step.find(b.object);
  if (left == nullptr || right == nullptr) return step.fresh(select.type, 0);
  Object joined = common(*left, *right);
  joined.device = join(step.device_of(a.object), step.device_of(b.object));
  if (!left->parent && !right->parent)
    note_move(joined, *left, *right, step.block, step.fact, step.symbols);
  joined.parent = {};
  joined.source = {};
  joined.version = {};
  const ObjectId left_alias = left->alias;
  const ObjectId right_alias = right->alias;
  joined.alias = {};
  const ObjectId id = step.make(0, joined);
  step.state.merge_aliases(id, left_alias);
  step.state.merge_aliases(step.find(id)->alias, right_alias);
  return Value::of(id);
}

Value apply(Step& step, const fact::Copy& copy) {
  const ObjectId from = step.object(copy.from);
  const Object* copied = step.find(from);
  if (copied == nullptr) return step.value(copy.from);
  Object made = *copied;
  made.device = step.device_of(from);
  made.parent = {};
  made.version = {};
  const ObjectId to = step.make(0, made);
  std::vector<std::pair<FieldId, Value>> parts;
  for (const auto& [key, part] : step.state.fields) {
    if (key.first != from) continue;
    const Object* held = step.find(part.object);
    if (held == nullptr || held->parent != from) parts.emplace_back(key.second, part);
  }
  for (const auto& [field, part] : parts) step.state.fields[{to, field}] = part;
  if (const auto written = step.tables.lists.find(from); written != step.tables.lists.end())
    step.tables.lists[to] = written->second;
  return Value::of(to);
}

/// A batch from a loader's dataset is on the device that all its makers say.
Value apply(Step& step, const fact::Batch& batch) {
  Device device = Device::cpu();
  // The one whose result the program may know more of.
  std::optional<FunctionId> asked;
  for (const BatchMaker& maker : batch.makers) {
    const Outcome& made = step.surroundings.summary_of(maker.function).result;
    if (maker.transform && made.known &&
        (made.same_object || made.device.kind == DeviceTerm::Kind::kOfParameter))
      continue;
    const bool known = made.known && made.device.kind == DeviceTerm::Kind::kDevice;
    if (!known && !maker.transform && !asked) {
      asked = maker.function;
      continue;
    }
    if (asked || !known || (maker.transform && !(made.device.device == device)))
      device = Device::unknown();
    else
      device = made.device.device;
    if (device.kind == DeviceKind::kUnknown) break;
  }
  if (asked && device.kind != DeviceKind::kUnknown)
    device = step.told(kBatch, Holder::result(*asked));
  if (device.kind == DeviceKind::kUnknown)
    step.events.unknown("a batch of a dataset that may be anywhere");
  const Value made = step.fresh(batch.type, 0);
  Object* object = step.find(made.object);
  if (object == nullptr || device.kind == DeviceKind::kUnknown) return made;
  object->device = device;
  object->placed = !device.is_symbol()                 ? Placed::kMade
                   : object->kind == ObjectKind::kList ? Placed::kGiven
                                                       : Placed::kUnknown;
  object->placed_at = step.spot;
  return made;
}

}  // namespace xfer::analyzer
