#include "analyzer/flow/let_go.h"

#include <algorithm>

#include "analyzer/flow/freed.h"

namespace xfer::analyzer {

void tell_if_let_go(const Step& step, VariableId pointer) {
  if (!step.observed() || !is_own(step, pointer)) return;
  const Value* held = step.state.variables.find(pointer);
  const Object* memory = held == nullptr ? nullptr : step.find(held->object);
  if (memory == nullptr || memory->kind != ObjectKind::kMemory || memory->placed != Placed::kMade ||
      memory->escaped || memory->freed)
    return;
  const auto points_there = [&](const Value& value) {
    const Object* other = step.find(value.object);
    return other != nullptr && (value.object == held->object || other->alias == memory->alias);
  };
  for (const auto& [variable, value] : step.state.variables)
    if (variable != pointer && points_there(value)) return;
  for (const auto& [key, value] : step.state.fields)
    if (points_there(value)) return;
  step.events.let_go({step.block, pointer, held->object});
}

}  // namespace xfer::analyzer
