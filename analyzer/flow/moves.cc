#include "analyzer/flow/moves.h"

#include <vector>

#include "analyzer/flow/handed.h"

namespace xfer::analyzer {
namespace {

/// An element of a list of modules was moved: it may be any that was put there, and the module that
/// registered them has a part elsewhere.
void element_moved(Step& step, ObjectId list, Device device, unsigned depth) {
  std::vector<ObjectId> wholes;
  for (const auto& [key, value] : step.state.fields) {
    const bool named = step.unit.fields.has(key.second);
    if (value.object == list && named && step.unit.fields[key.second].registered)
      wholes.push_back(key.first);
    Object* element = key.first == list && !named ? step.find(value.object) : nullptr;
    if (element == nullptr || element->kind != ObjectKind::kModule) continue;
    if (element->parent) {
      wholes.push_back(element->parent);
    } else if (!(element->device == device)) {
      element->device = Device::unknown();
      hand_to_fields(step, value.object, value.object);
      relocated(step, value.object);
    }
  }
  for (const ObjectId whole : wholes) part_moved(step, whole, device, depth);
}

/// A module that is in a list, or in a tuple of one, was moved: whoever holds the list finds it so.
void tell_holders(const Step& step, ObjectId whole, ObjectId module) {
  const auto holds = [](const Object& object) {
    return object.kind == ObjectKind::kList || object.kind == ObjectKind::kTuple;
  };
  const Object* around = step.find(whole);
  if (around == nullptr || !holds(*around)) return;
  for (const auto& [id, object] : step.state.objects)
    if (holds(object) && object.alias == around->alias) hand_to_fields(step, id, module);
}

}  // namespace

void part_moved(Step& step, ObjectId whole, Device device, unsigned depth) {
  for (; whole && depth < 8; ++depth) {
    Object* at = step.find(whole);
    if (at == nullptr) return;
    if (!(at->device == device)) at->device = Device::unknown();
    const ObjectId around = at->parent;
    if (at->kind == ObjectKind::kList) element_moved(step, whole, device, depth + 1);
    whole = around;
  }
}

void set_device(Step& step, ObjectId id, Device device, Placed placed, SpotId spot_id) {
  Object* object = step.find(id);
  if (object == nullptr) return;
  const ObjectId around = object->parent;
  part_moved(step, around, device);
  object->parent = {};
  object->parts = 0;
  object->device = device;
  object->placed = placed;
  object->placed_at = spot_id;
  if (placed != Placed::kUnknown) {
    hand_to_fields(step, id, id);
    tell_holders(step, around, id);
    relocated(step, id);
  }
  // Everything registered goes along.
  for (const auto& [key, value] : step.state.fields) {
    if (key.first != id || !value.object || !step.unit.fields.has(key.second)) continue;
    Object* part = step.find(value.object);
    if (part != nullptr && step.unit.fields[key.second].registered && value.object != id)
      part->parent = id;
  }
  for (const auto& [part, held] : step.state.objects)
    if (held.parent == id) relocated(step, part);
}

void move_elements(Step& step, ObjectId list, Device device, SpotId spot_id) {
  std::vector<ObjectId> elements;
  for (const auto& [key, value] : step.state.fields) {
    Object* element =
        key.first == list && !step.unit.fields.has(key.second) ? step.find(value.object) : nullptr;
    if (element == nullptr || element->kind != ObjectKind::kModule) continue;
    element->device = device;
    elements.push_back(value.object);
  }
  set_device(step, list, device, Placed::kMoved, spot_id);
  for (const ObjectId element : elements)
    set_device(step, element, device, Placed::kMoved, spot_id);
}

void hand_out_part(Step& step, ObjectId whole, const Value& part) {
  Object* made = part.kind == ValueKind::kObject ? step.find(part.object) : nullptr;
  if (made == nullptr || !whole || whole == part.object) return;
  if (made->kind == ObjectKind::kModule || made->kind == ObjectKind::kList) made->parent = whole;
  // The parts of a container are as strict as the first of them.
  if (const Object* container = step.find(whole);
      made->kind == ObjectKind::kModule && made->strict == Strict::kUnknown && container != nullptr)
    made->strict = container->strict;
}

}  // namespace xfer::analyzer
