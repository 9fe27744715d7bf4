#include "analyzer/flow/sharing.h"

#include <vector>

#include "analyzer/flow/handed.h"
#include "analyzer/flow/moves.h"

namespace xfer::analyzer {
namespace {

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
  told = of_parts(*object, told);
  for (const ObjectId part : step.state.parts_of(whole)) share_whole(step, part, told, depth + 1);
}

void share_whole(Step& step, ObjectId id, ToldBy told, unsigned depth) {
  share(step, id, told);
  share_parts(step, id, told, depth);
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
