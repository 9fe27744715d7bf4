#include "analyzer/flow/calls.h"

#include "analyzer/flow/functions.h"
#include "analyzer/flow/handed.h"
#include "analyzer/flow/memory.h"
#include "analyzer/flow/models.h"
#include "analyzer/flow/modules.h"
#include "analyzer/flow/summaries.h"
#include "analyzer/flow/unknown_calls.h"
#include "analyzer/flow/waiting.h"

namespace xfer::analyzer {
namespace {

/// Of a function of the team's others may know where its result is.
Value unknown_result(Step& step, const Call& call, Value result) {
  const FunctionId function = callee_of(call);
  const Object* made = step.find(result.object);
  const Device device = made != nullptr ? made->device : result.device;
  if (function && device.is_symbol()) step.symbols[device.symbol].held = Holder::result(function);
  return result;
}

/// After any call on a list, an index may name another element; a call that puts nothing in it may
/// have taken tensors out.
void list_changed(Step& step, const Call& call, ObjectId list) {
  step.state.forget_keys(list);
  if (call.model == nullptr || call.model->kind != CallKind::kPlain || call.model->parts ||
      call.result.role != Role::kNone)
    return;
  step.state.fields.erase_if([&](const auto& entry) {
    const Object* element = step.find(entry.second.object);
    return entry.first.first == list && entry.first.second >= kFirstElement && element != nullptr &&
           element->kind == ObjectKind::kTensor;
  });
}

}  // namespace

Value apply(Step& step, const fact::Invoke& what) {
  const Call& call = step.facts.calls[what.call];
  const auto note = [&](const Operand& operand) {
    if (const ObjectId id = step.object_of(operand)) step.read(id);
  };
  if (call.has_receiver) note(call.receiver);
  for (const Operand& operand : call.arguments) note(operand);
  if (call.has_receiver && call.receiver.pass == Pass::kMutable && is_list(call.receiver.role))
    if (const ObjectId list = step.object_of(call.receiver)) list_changed(step, call, list);
  before_call(step, call);
  hand_arguments(step, call);
  Value result;
  bool unknown = false;
  if (call.form == CallForm::kKernel)
    launch(step, call);
  else if (call.form == CallForm::kNewModule)
    result = new_module(step, call);
  else if (call.model != nullptr)
    result = apply_model(step, call);
  else if (const Summary* summary = summary_for(step, call))
    result = apply_summary(step, call, *summary);
  else {
    unknown = true;
    result = unknown_result(step, call, apply_unknown(step, call));
  }
  // A module has the parameters in the list that it hands out, and so may whoever is not known.
  if (Object* list = step.find(result.object);
      list != nullptr && list->kind == ObjectKind::kList &&
      ((call.has_receiver && call.receiver.role == Role::kModule) || unknown))
    list->escaped = true;
  if (call.parameter) note_returned(step, call, result);
  return result;
}

}  // namespace xfer::analyzer
