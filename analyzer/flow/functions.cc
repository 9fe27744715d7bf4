// Functions that are given to functions: where a function puts the result of one that it was given
// is for its callers to say, who know which one they give.

#include <algorithm>

#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

/// The result of a function that was given, for one tensor whose place is known, and nothing else:
/// one place, however often it is called.
void Interpreter::note_returned(const Call& call, const Value& result, State& state) {
  Object* made = state.objects.find(result.object);
  if (call.arguments.size() != 1 || made == nullptr || made->kind != ObjectKind::kTensor) return;
  const Device given = state.device_of(object_of(call.arguments.front(), state));
  if (!given.is_known()) return;
  const std::uint32_t place =
      given.is_cpu() ? 1 : static_cast<std::uint32_t>(given.index - Device::kCurrent) + 2;
  made->device = Device::of(symbols_.intern(Origin::kParameter, *call.parameter, place, 0));
  Symbol& symbol = symbols_[made->device.symbol];
  symbol.returned = true;
  symbol.parameter = *call.parameter;
  symbol.given = given;
}

/// Where the function that the call gives, or else the parameter's default one, puts its result.
Device Interpreter::returned(const Call& call, const Where& where) {
  FunctionId given;
  if (const Operand* operand = argument(call, where.parameter)) {
    given = operand->function;
  } else if (call.callee && where.parameter < unit_[call.callee].declared) {
    given = unit_[call.callee].parameters[where.parameter].by_default.function;
  }
  if (!given) return Device::unknown();
  if (const FunctionModel* model = unit_[given].model) {
    const bool stays = model->kind == CallKind::kPlain && model->result == Placement::kFirst;
    return stays ? where.device : Device::unknown();
  }
  const Outcome& result = surroundings_.summary_of(given).result;
  if (!result.known) return Device::unknown();
  const bool first = result.same_object
                         ? result.parameter == 0 && result.path.empty()
                         : result.where.kind == Where::Kind::kOfParameter &&
                               result.where.parameter == 0 && result.where.path.empty();
  if (first) return where.device;
  return result.where.kind == Where::Kind::kDevice && !result.same_object ? result.where.device
                                                                          : Device::unknown();
}

/// The function that the call gives, which runs for each of a module's parts, leaves modules where
/// they are.
bool Interpreter::only_visits(const Call& call) const {
  if (call.arguments.empty() || !call.arguments.front().function) return false;
  const Function& visitor = unit_[call.arguments.front().function];
  if (visitor.instance &&
      (!visitor.lambda || visitor.captures_object ||
       std::any_of(visitor.parameters.begin() + visitor.declared, visitor.parameters.end(),
                   [](const Parameter& captured) { return captured.role == Role::kModule; })))
    return false;
  const Summary& summary = surroundings_.summary_of(call.arguments.front().function);
  if (!summary.known) return false;
  for (std::uint32_t index = 0; index < visitor.declared; ++index) {
    if (visitor.parameters[index].role != Role::kModule) continue;
    if (index >= summary.modules.size() || summary.escapes[index]) return false;
    const Where& after = summary.modules[index];
    if (after.kind != Where::Kind::kOfParameter || after.parameter != index || !after.path.empty())
      return false;
  }
  return true;
}

}  // namespace xfer::analyzer
