#include "analyzer/flow/summaries.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/flow/freed_within.h"
#include "analyzer/flow/handed.h"
#include "analyzer/flow/held_fields.h"
#include "analyzer/flow/join.h"
#include "analyzer/flow/memory.h"
#include "analyzer/flow/memory_copies.h"
#include "analyzer/flow/modules.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/substitution.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

/// Numbers of what is left in arguments, from here on.
constexpr std::uint32_t kFirstLeft = 0x800;

/// A constructor keeps the module in a field, and nowhere else.
bool kept_as_given(const Summary& summary, std::uint32_t parameter) {
  return std::any_of(summary.fields.begin(), summary.fields.end(),
                     [&](const FieldHeld& held) { return held.given == parameter; });
}

/// The callee makes something with dimensions of the tensor that it is given.
OperandView as_used(OperandView view, bool has_dims) {
  if (has_dims && view.object.kind == ObjectKind::kTensor && view.operand != nullptr &&
      view.operand->role == Role::kTensor)
    view.object.rank = Rank::kNonZero;
  return view;
}

/// A look at the places of a need may make them known: call this only with an observer.
void tell_needs(const Step& step, Substitution& terms, const Summary& summary) {
  for (const Need& need : summary.needs)
    for (const OperandView& first : terms.needed(need.first)) {
      // Code that follows a pointer to a list of pointers does not follow the pointers in it.
      const Object* given =
          first.operand == nullptr ? nullptr : step.find(step.object_of(*first.operand));
      const bool of_memory =
          first.object.kind == ObjectKind::kMemory || need.host_reads || need.host_writes;
      if (of_memory && given != nullptr && given->kind != ObjectKind::kMemory) continue;
      for (const OperandView& second : terms.needed(need.second)) {
        auto event = step.event<NeedEvent>(terms.call());
        event.need = &need;
        event.first = as_used(first, need.first_has_dims);
        event.second = as_used(second, need.second_has_dims);
        step.events.need(event);
      }
    }
}

/// An object whose constructor says what it leaves in its fields.
Value constructed(Step& step, Substitution& terms, const Summary& summary) {
  const Value made = step.fresh(terms.call().result, 0);
  if (made.kind == ValueKind::kObject) hold_constructed(step, terms, summary, made.object);
  return made;
}

/// The result of a call that hands out a field's module: that module, as the call left it. `made`
/// is where.
Value handed_out(Step& step, Substitution& terms, const Outcome& outcome, Value made) {
  if (!outcome.same_object || outcome.path.empty() || terms.call().result.role != Role::kModule)
    return made;
  const Value held = terms.given(outcome.parameter, outcome.path);
  if (step.find(held.object) == nullptr) return made;
  const Device left = step.device_of(made.object);
  if (left.kind != DeviceKind::kUnknown && !(left == step.device_of(held.object)))
    set_device(step, held.object, left, Placed::kMoved, terms.call().spot);
  return held;
}

/// The callee chooses between places, and this call leaves it one of them: what is said of all
/// calls is not said of this one.
bool chosen_by_call(Substitution& terms, const Outcome& outcome) {
  return outcome.known && outcome.device.kind == DeviceTerm::Kind::kChoice &&
         terms.leaves_no_choice();
}

/// Where neither the summary nor the arguments say it, the whole program may.
Value known_by_program(Step& step, Value made, Holder holder, std::uint32_t sub) {
  const Device at = made.kind == ValueKind::kObject ? step.device_of(made.object) : made.device;
  const bool opaque = at.is_symbol() && at == Device::of(step.symbol_of_result(sub));
  if (made.kind == ValueKind::kDevice && (opaque || at.kind == DeviceKind::kUnknown))
    made.device = step.told(sub, holder);
  const Object* object = step.find(made.object);
  if (object == nullptr || object->kind == ObjectKind::kRecord || object->parent ||
      (!opaque && at.kind != DeviceKind::kUnknown))
    return made;
  const Device told = step.told(sub, holder);
  Object* known = step.find(made.object);
  known->device = told;
  if (known->rank == Rank::kUnknown) known->rank = Rank::kHeld;
  return made;
}

/// The value of a reference parameter after the call.
Value left_by_reference(Step& step, Substitution& terms, const Operand& operand,
                        const Outcome& left, std::uint32_t sub) {
  const Device before = step.device_of(step.object_of(operand));
  const Value made = terms.outcome(left, operand.role, sub);
  Object* after = step.find(made.object);
  if (!left.or_unchanged || after == nullptr || before.kind == DeviceKind::kBottom) return made;
  const Device left_there = after->device;
  after->rank = Rank::kUnknown;
  after->device = join(before, left_there);
  if (after->device.kind != DeviceKind::kUnknown || before.kind == DeviceKind::kUnknown ||
      left_there.kind == DeviceKind::kUnknown)
    return made;
  const Device one = step.opaque(sub);
  add_either(step.symbols[one.symbol], one.symbol, before, left_there);
  after = step.find(made.object);
  after->device = one;
  return made;
}

/// The same, as far as the whole program knows more.
Value left_in(Step& step, Substitution& terms, FunctionId callee, std::uint32_t index,
              const Outcome& left) {
  const Value made = left_by_reference(step, terms, terms.call().arguments[index], left, 2 + index);
  note_allocated(step, terms.call(), left, made.object);
  if (chosen_by_call(terms, left)) return made;
  return known_by_program(step, made, Holder::left(callee, index), 2 + index);
}

/// Parts that the callee registered in some module: the module's owner finds them there.
void keep_registered(const Step& step, const Call& call, const Summary& summary) {
  for (const DeviceTerm& part : summary.parts) {
    if (part.kind != DeviceTerm::Kind::kOfParameter || !part.path.empty()) continue;
    const Operand* given = argument(call, part.parameter);
    Object* kept = given == nullptr ? nullptr : step.find(step.object_of(*given));
    if (kept != nullptr) kept->escaped = true;
  }
}

Value returned_by(Step& step, Substitution& terms, FunctionId callee, const Summary& summary) {
  const Outcome& result = summary.result;
  const Value made = terms.outcome(result, terms.call().result.role, 0);
  note_allocated(step, terms.call(), result, made.object);
  if (const Object* tuple = step.find(made.object);
      tuple != nullptr && tuple->kind == ObjectKind::kTuple && !chosen_by_call(terms, result))
    hold_parts(step, terms, summary.result_parts, made.object);
  // Others may also hold the object that a handle points to.
  if (const ValueType& type = terms.call().result; made.object && !type.handle)
    hold_fields(step, terms, summary.result_fields, type.record, made.object);
  if (chosen_by_call(terms, result)) return made;
  return known_by_program(step, made, Holder::result(callee), 0);
}

/// The callee has an object, by whatever it is given; it tells what it did with it, or may have
/// done anything.
void left_in_object(Step& step, Substitution& terms, const Summary& summary, std::uint32_t index,
                    ObjectId id) {
  const Operand& operand = terms.call().arguments[index];
  const FunctionId callee = callee_of(terms.call());
  const bool reference = operand.pass == Pass::kMutable;
  const ObjectLeft* left = index < summary.objects.size() && operand.role == Role::kRecord
                               ? &summary.objects[index]
                               : nullptr;
  if (left != nullptr && left->told && !summary.unknown_calls) {
    share_changed(step, terms, left->fields, left->changed, id);
    if (left->changed.none() || !reference) return;
    const std::vector<Parameter>& parameters = step.unit[callee].parameters;
    change_fields(step, terms, left->fields, left->changed,
                  index < parameters.size() ? parameters[index].object : ClassId(), id);
    if (operand.whole) lose(step, load(step, operand.whole).object, ToldBy::kCallee);
    return hand_to_fields(step, id, id);
  }
  if (reference) {
    lose_operand(step, operand, ToldBy::kCallee);
    known_by_program(step, Value::of(id), Holder::left(callee, index), kFirstLeft + index);
    hand_to_fields(step, id, id);
  }
  share_parts(step, id, ToldBy::kCallee);
}

void write_behind(Step& step, const Call& call) {
  if (call.has_receiver) write_behind(step, step.object_of(call.receiver));
  for (const Operand& operand : call.arguments)
    if (operand.role != Role::kMemory) write_behind(step, step.object_of(operand));
}

/// The callee gets an array of pointers as a pointer to them: what it does behind those is not
/// told.
void write_behind_pointers(Step& step, const Call& call) {
  for (const Operand& operand : call.arguments) {
    const ObjectId array = step.object_of(operand);
    const Object* held = step.find(array);
    if (operand.role == Role::kMemory && held != nullptr && held->kind == ObjectKind::kList)
      write_behind(step, array);
  }
}

}  // namespace

const Summary* summary_for(const Step& step, const Call& call) {
  if (call.callee && step.surroundings.summary_of(call.callee).known)
    return &step.surroundings.summary_of(call.callee);
  if (call.named && step.surroundings.summary_of_any(call.named).known)
    return &step.surroundings.summary_of_any(call.named);
  return nullptr;
}

Value apply_summary(Step& step, const Call& call, const Summary& summary) {
  const FunctionId callee = callee_of(call);
  Substitution terms(step, call);
  if (step.observed()) tell_needs(step, terms, summary);
  const std::vector<MemoryCopyEvent> copies = copies_within(step, terms, summary);
  if (summary.unknown_calls) step.events.unknown_call();
  if (summary.writes_behind) write_behind(step, call);
  write_behind_pointers(step, call);
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Role role = call.arguments[index].role;
    const Device device = step.device_of(step.object_of(call.arguments[index]));
    if ((role == Role::kTensor || role == Role::kList) && step.symbols.may_be_cuda(device))
      step.events.given({step.block, &call, index, device});
  }
  // Results are in terms of the arguments as they were.
  std::vector<std::pair<const Operand*, Value>> stores;
  std::vector<std::pair<ObjectId, Device>> moves;
  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    if (index < summary.references.size() && operand.pass == Pass::kMutable &&
        (operand.role == Role::kTensor || operand.role == Role::kTuple ||
         operand.role == Role::kDevice || operand.role == Role::kOptions || operand.address))
      stores.emplace_back(&operand, left_in(step, terms, callee, index, summary.references[index]));
    if (operand.role == Role::kModule && index < summary.filled.size())
      if (Object* container = step.find(step.object_of(operand)))
        fill(*container, summary.filled[index]);
    if (index < summary.modules.size() && operand.role == Role::kModule) {
      const DeviceTerm& term = summary.modules[index];
      if (!(term.kind == DeviceTerm::Kind::kOfParameter && term.parameter == index))
        moves.emplace_back(step.object_of(operand), terms.substitute(term));
    }
  }
  const bool stays = summary.self_empty || (summary.self.kind == DeviceTerm::Kind::kOfParameter &&
                                            summary.self.parameter == kThisParameter);
  if (call.has_receiver && call.receiver.role == Role::kModule &&
      !(stays && summary.parts.empty())) {
    const ObjectId self = step.object_of(call.receiver);
    const Device before = step.device_of(self);
    const Device after = terms.self_after(summary, before);
    if (!stays || !(after == before)) moves.emplace_back(self, after);
  }
  const Value result = call.form == CallForm::kConstruct ? constructed(step, terms, summary)
                       : call.result.role == Role::kNone
                           ? Value{}
                           : returned_by(step, terms, callee, summary);

  for (std::uint32_t index = 0; index < call.arguments.size(); ++index) {
    const Operand& operand = call.arguments[index];
    const ObjectId id = step.object_of(operand);
    if (!id) continue;
    if (index < summary.written.size() && summary.written[index]) step.write(id);
    const bool compound = operand.role == Role::kList || operand.role == Role::kRecord ||
                          operand.role == Role::kDevices || operand.role == Role::kTuple;
    if (compound) left_in_object(step, terms, summary, index, id);
    if (index < summary.escapes.size() && summary.escapes[index]) {
      step.escape(id);
      if (!kept_as_given(summary, index)) share(step, id);
    }
  }
  keep_registered(step, call, summary);
  if (call.has_receiver) {
    const ObjectId self = step.object_of(call.receiver);
    if (summary.unknown_calls && call.receiver.pass == Pass::kMutable)
      share_parts(step, self, ToldBy::kCallee);
    share_changed(step, terms, summary.fields, summary.changed, self);
  }
  for (const auto& [id, device] : moves) set_device(step, id, device, Placed::kMoved, call.spot);
  for (const auto& [operand, stored] : stores) assign(step, *operand, stored);
  if (!summary.changed.none() && call.has_receiver) {
    const ObjectId self = step.object_of(call.receiver);
    if (self)
      change_fields(step, terms, summary.fields, summary.changed, step.unit[callee].owner, self);
    // Of an element: another one that is looked at later may be this.
    if (call.receiver.whole) lose(step, load(step, call.receiver.whole).object, ToldBy::kCallee);
  }
  if (summary.unknown_calls) forget_globals(step);
  if (summary.writes_outside || !summary.changed.none()) step.outside_written();
  if (summary.writes_everything) step.write_everything();
  keep_within(step, terms, summary, copies);
  free_within(step, terms, summary);
  return handed_out(step, terms, summary.result, result);
}

}  // namespace xfer::analyzer
