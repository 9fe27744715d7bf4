#include "analyzer/flow/functions.h"

#include <algorithm>

namespace xfer::analyzer {

void note_returned(Step& step, const Call& call, const Value& result) {
  Object* made = step.find(result.object);
  if (call.arguments.size() != 1 || made == nullptr || made->kind != ObjectKind::kTensor) return;
  const Device given = step.device_of(step.object_of(call.arguments.front()));
  if (!given.is_known()) return;
  const std::uint32_t place =
      given.is_cpu() ? 1 : static_cast<std::uint32_t>(given.index - Device::kGuarded) + 2;
  made->device = Device::of(step.symbols.intern(Origin::kParameter, *call.parameter, place, 0));
  Symbol& symbol = step.symbols[made->device.symbol];
  symbol.returned = true;
  symbol.parameter = *call.parameter;
  symbol.given = given;
}

Device returned(const Step& step, const Call& call, const DeviceTerm& term) {
  FunctionId given;
  if (const Operand* operand = argument(call, term.parameter)) {
    given = operand->function;
  } else if (call.callee && term.parameter < step.unit[call.callee].declared) {
    given = step.unit[call.callee].parameters[term.parameter].by_default.function;
  }
  if (!given) return Device::unknown();
  if (const FunctionModel* model = step.unit[given].model) {
    const bool stays = model->kind == CallKind::kPlain && model->result == Placement::kFirst;
    return stays ? term.device : Device::unknown();
  }
  const Outcome& result = step.surroundings.summary_of(given).result;
  if (!result.known) return Device::unknown();
  const bool first = result.same_object
                         ? result.parameter == 0 && result.path.empty()
                         : result.device.kind == DeviceTerm::Kind::kOfParameter &&
                               result.device.parameter == 0 && result.device.path.empty();
  if (first) return term.device;
  return result.device.kind == DeviceTerm::Kind::kDevice && !result.same_object
             ? result.device.device
             : Device::unknown();
}

bool only_visits(const Step& step, const Call& call) {
  if (call.arguments.empty() || !call.arguments.front().function) return false;
  const Function& visitor = step.unit[call.arguments.front().function];
  if (visitor.instance &&
      (!visitor.lambda ||
       std::any_of(visitor.parameters.begin() + visitor.declared, visitor.parameters.end(),
                   [](const Parameter& captured) { return captured.role == Role::kModule; })))
    return false;
  const Summary& summary = step.surroundings.summary_of(call.arguments.front().function);
  if (!summary.known) return false;
  const bool stays = summary.self.kind == DeviceTerm::Kind::kOfParameter &&
                     summary.self.parameter == kThisParameter && summary.self.path.empty() &&
                     summary.parts.empty() && summary.changed.none();
  if (visitor.captures_object && !stays) return false;
  for (std::uint32_t index = 0; index < visitor.declared; ++index) {
    if (visitor.parameters[index].role != Role::kModule) continue;
    if (index >= summary.modules.size() || summary.escapes[index]) return false;
    const DeviceTerm& after = summary.modules[index];
    if (after.kind != DeviceTerm::Kind::kOfParameter || after.parameter != index ||
        !after.path.empty())
      return false;
  }
  return true;
}

}  // namespace xfer::analyzer
