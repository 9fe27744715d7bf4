#include "analyzer/flow/unknown_calls.h"

#include <string>

#include "analyzer/flow/memory.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {

Value apply_unknown(Step& step, const Call& call) {
  const bool modifies = call.in_place;
  const auto module_method = call.has_receiver && call.receiver.role == Role::kModule;
  if (call.library) {
    if (call.name == "operator()") {  // of a std::function: the team's code
      step.events.unknown_call();
      forget_globals(step);
      step.outside_written();
    }
    if (call.has_receiver) {
      const ObjectId self = step.object_of(call.receiver);
      if (call.receiver.role == Role::kTensor) {
        if (modifies) step.write(self);
      } else if (!module_method && self && call.receiver.pass == Pass::kMutable &&
                 is_list(call.receiver.role) && call.result.role == Role::kNone) {
        lose(step, self);
      } else if (call.receiver.role == Role::kList) {
        share_parts(step, self);  // begin(), data()
      }
    }
    bool first = !call.has_receiver || call.receiver.role != Role::kTensor;
    for (const Operand& operand : call.arguments) {
      if (operand.role == Role::kMemory) {
        hand_over_memory(step, call, operand);
        continue;
      }
      const ObjectId id = step.object_of(operand);
      if (!id) continue;
      const Object* object = step.find(id);
      write_behind(step, id);
      const bool stored = call.form == CallForm::kConstruct ||
                          (call.has_receiver && call.receiver.pass == Pass::kMutable);
      if (operand.pass == Pass::kMutable) {
        lose_operand(step, operand, ToldBy::kFields);
      } else if (stored && object != nullptr && object->kind == ObjectKind::kModule) {
        share(step, id);
      } else if (object != nullptr &&
                 (object->kind == ObjectKind::kTensor || object->kind == ObjectKind::kList)) {
        if (modifies && first) step.write(id);
        // A library object that is made from tensors may keep and change them.
        const bool keeps = call.has_receiver && call.receiver.role == Role::kNone &&
                           call.result.role == Role::kNone;
        if (call.form == CallForm::kConstruct || keeps) step.escape(id);
      }
      if (stored) {
        share_parts(step, id);
        escape_behind(step, id);
      }
      first = false;
    }
    if (call.result.role != Role::kNone) step.events.unknown("no model for " + call.name);
    const Value result = step.fresh(call.result, 0);
    if (module_method) hand_out_part(step, step.object_of(call.receiver), result);
    return result;
  }

  if (call.system) return apply_system(step, call);

  step.events.unknown("call of " +
                      (call.name.empty() ? std::string("a function object") : call.name) +
                      ", whose body is not here");
  step.events.unknown_call();
  // A module's forward leaves the module where it is.
  if (call.has_receiver) write_behind(step, step.object_of(call.receiver));
  if (call.has_receiver && call.receiver.pass == Pass::kMutable && !call.runs_forward)
    lose_operand(step, call.receiver);
  for (const Operand& operand : call.arguments) {
    const ObjectId id = step.object_of(operand);
    write_behind(step, id);
    if (operand.role == Role::kMemory) {
      hand_over_memory(step, call, operand);
      continue;
    }
    Object* object = step.find(id);
    if (object == nullptr) continue;
    if (operand.pass == Pass::kMutable || object->kind == ObjectKind::kModule) {
      lose_operand(step, operand);
    } else {
      step.escape(id);
      share_parts(step, id, ToldBy::kNobody);
      for (const ObjectId part : step.state.parts_of(id)) step.escape(part);
    }
  }
  forget_globals(step);
  step.outside_written();
  return step.fresh(call.result, 0);
}

}  // namespace xfer::analyzer
