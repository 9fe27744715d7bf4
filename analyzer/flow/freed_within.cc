#include "analyzer/flow/freed_within.h"

#include "analyzer/flow/freed.h"

namespace xfer::analyzer {

void free_within(Step& step, Substitution& terms, const Summary& summary) {
  for (const Given& memory : summary.frees) {
    const Operand* pointer = argument(terms.call(), memory.parameter);
    const ObjectId id = terms.given(memory).object;
    Object* object = step.find(id);
    if (pointer == nullptr || object == nullptr || object->kind != ObjectKind::kMemory) continue;
    step.events.freed({step.block, &terms.call(), id});
    if (memory.path.empty()) note_freed(step, pointer->place, *object);
  }
}

}  // namespace xfer::analyzer
