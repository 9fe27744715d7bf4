#include "analyzer/flow/sharing.h"

#include <utility>
#include <vector>

#include "analyzer/flow/handed.h"
#include "analyzer/flow/moves.h"

namespace xfer::analyzer {
namespace {

/// `sub` numbers of the devices that a fact finds in fields: this plus the field's number.
constexpr std::uint32_t kFirstField = 0x40000000;

ToldBy of_parts(const Object& whole, ToldBy told) {
  return told == ToldBy::kFields && whole.kind == ObjectKind::kRecord ? ToldBy::kCallee : told;
}

}  // namespace

void lose(Step& step, ObjectId id, ToldBy told, unsigned depth) {
  Object* object = step.find(id);
  if (object == nullptr || depth > 3) return;
  if (object->kind == ObjectKind::kMemory) {  // it stays where it is
    step.escape(id);
    return step.write(id);
  }
  part_moved(step, object->parent, Device::unknown());
  object->parent = {};
  object->device = Device::unknown();
  object->rank = Rank::kUnknown;
  object->placed = Placed::kUnknown;
  step.events.lost(id);
  if (step.unit.follows_memory) step.events.written_behind();
  step.escape(id);
  if (told != ToldBy::kCallee) {
    hand_to_fields(step, id, id);
    relocated(step, id);
  }
  step.write(id);
  told = of_parts(*step.find(id), told);
  for (const ObjectId part : step.state.parts_of(id)) {
    const Object* held = step.find(part);
    if (held != nullptr && held->parent == id) continue;
    lose(step, part, told, depth + 1);
  }
  step.state.forget_fields(id);
}

void reseat(Step& step, ObjectId tensor) {
  std::vector<ObjectId> moved = {tensor};
  for (const auto& [id, object] : step.state.objects)
    if (object.kind == ObjectKind::kModule) moved.push_back(id);
  for (const ObjectId id : moved) lose(step, id);
}

void share(Step& step, ObjectId id, ToldBy told) {
  const Object* object = step.find(id);
  if (object == nullptr || object->kind != ObjectKind::kModule) return;
  const Object* whole = step.find(object->parent);
  if (whole == nullptr || whole->kind != ObjectKind::kModule) lose(step, id, told);
}

void share_parts(Step& step, ObjectId whole, ToldBy told, unsigned depth) {
  const Object* object = step.find(whole);
  if (object == nullptr || object->kind == ObjectKind::kModule || depth > 3) return;
  const bool record = object->kind == ObjectKind::kRecord;
  told = of_parts(*object, told);
  std::vector<std::pair<FieldId, ObjectId>> parts;
  for (const auto& [key, value] : step.state.fields)
    if (key.first == whole && value.object) parts.emplace_back(key.second, value.object);
  for (const auto& [field, part] : parts) {
    share_whole(step, part, told, depth + 1);
    if (record && told == ToldBy::kCallee) find_by_field(step, part, field);
  }
}

void share_whole(Step& step, ObjectId id, ToldBy told, unsigned depth) {
  share(step, id, told);
  share_parts(step, id, told, depth);
}

std::vector<ObjectId> memory_behind(const Step& step, ObjectId whole, unsigned depth) {
  std::vector<ObjectId> found;
  if (!whole || depth > 3) return found;
  for (const ObjectId part : step.state.parts_of(whole)) {
    const Object* held = step.find(part);
    if (held != nullptr && held->kind == ObjectKind::kMemory) {
      found.push_back(part);
      continue;
    }
    const std::vector<ObjectId> further = memory_behind(step, part, depth + 1);
    found.insert(found.end(), further.begin(), further.end());
  }
  return found;
}

void escape_behind(Step& step, ObjectId whole) {
  for (const ObjectId memory : memory_behind(step, whole)) step.escape(memory);
}

void find_by_field(Step& step, ObjectId id, FieldId field) {
  Object* object = step.find(id);
  if (object == nullptr || object->parent || object->device.kind != DeviceKind::kUnknown ||
      !step.unit.fields.has(field) || step.unit.fields[field].library)
    return;
  const Device found = step.told(kFirstField + field.number(), Holder::field(field));
  step.find(id)->device = found;
}

bool held_here(const Step& step, ObjectId id) {
  if (!id) return false;
  for (const auto& [variable, held] : step.state.variables)
    if (held.object == id &&
        (!step.facts.variables.has(variable) || !step.facts.variables[variable].global))
      return true;
  for (const auto& [key, held] : step.state.fields)
    if (held.object == id && step.unit.fields.has(key.second)) return true;
  return false;
}

}  // namespace xfer::analyzer
