#include "analyzer/flow/interpreter.h"

#include "analyzer/flow/calls.h"
#include "analyzer/flow/entry.h"
#include "analyzer/flow/handed.h"
#include "analyzer/flow/lists.h"
#include "analyzer/flow/memory.h"
#include "analyzer/flow/new_values.h"
#include "analyzer/flow/sharing.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {
namespace {

Value apply(Step&, const fact::DeviceIs& is) { return Value::of(is.device); }

Value apply(Step&, const fact::ElementIs& is) { return Value::of(is.element); }

Value apply(Step& step, const fact::Lose& what) {
  if (what.reason != nullptr) step.events.unknown(what.reason);
  lose(step, step.object(what.what));
  return {};
}

Value apply(Step& step, const fact::Share& what) {
  const ObjectId id = step.object(what.what);
  share_whole(step, id);
  if (what.written) step.escape(id);
  return {};
}

Value apply(Step& step, const fact::Capture& held) {
  const Value value = step.value(held.value);
  hand(step, Holder::parameter(held.lambda, held.parameter), step.spot, value);
  // A module is shared with others.
  const Object* object = step.find(value.object);
  if (object != nullptr && object->kind == ObjectKind::kModule) step.escape(value.object);
  return {};
}

Value apply(Step& step, const fact::Return& what) {
  if (!what.value) return {};
  step.state.variables[kReturnVariable] = step.value(what.value);
  if (const ObjectId id = step.object(what.value); id) step.read(id);
  return {};
}

Value apply(Step& step, const fact::Change& change) {
  const FieldId named = keyed_field(kFirstNamedKey + change.name);
  step.state.fields.erase_if([&](const auto& entry) { return entry.first.second == named; });
  if (change.in) step.renumber(*change.in ? load(step, *change.in).object : ObjectId());
  return {};
}

Value apply(Step& step, const fact::SetCurrent& set) {
  State& state = step.state;
  if (set.guard) state.variables[set.guard] = Value::of(state.current);
  const Device given = step.value(set.device).device;
  // A device guard does nothing about the CPU.
  if (set.device && !given.is_cpu())
    state.current = given.is_cuda() ? state.now(given) : Device::cuda(Device::kGuarded);
  return {};
}

Value apply(Step& step, const fact::EndStatement&) {
  step.state.temporaries.clear();
  return {};
}

}  // namespace

Interpreter::Interpreter(const Unit& unit, const FunctionFacts& facts, OriginTable& origins,
                         SymbolTable& symbols, Surroundings& surroundings)
    : tables_{unit, facts, origins, symbols, surroundings, {}, {}} {}

State Interpreter::entry_state() { return analyzer::entry_state(tables_, on_cuda_); }

void Interpreter::run(const Fact& fact, FactId id, BlockId block, State& state) {
  Step step(tables_, state, observer_, {id, block, fact.spot});
  step.events.running(fact, block);
  const Value made = std::visit([&](const auto& what) { return apply(step, what); }, fact.what);
  if (fact.value) state.temporaries[fact.value] = made;
}

}  // namespace xfer::analyzer
