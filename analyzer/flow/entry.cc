#include "analyzer/flow/entry.h"

#include <set>

#include "analyzer/flow/strictness.h"
#include "analyzer/flow/values.h"

namespace xfer::analyzer {

State entry_state(FlowTables& tables, const std::set<std::uint32_t>& on_cuda) {
  State state;
  Step step(tables, state, nullptr, {});
  state.reachable = true;
  const auto give = [&](VariableId variable, std::uint32_t number, Origin origin) {
    const Variable& declared = step.facts.variables[variable];
    if (declared.type.role == Role::kNone) return;
    const SymbolId symbol = step.symbols.intern(origin, number, 0, 0);
    step.symbols[symbol].parameter = number;
    step.symbols[symbol].name = declared.name;
    const Device device = Device::of(symbol);
    if (declared.type.role == Role::kDevice || declared.type.role == Role::kOptions) {
      step.symbols[symbol].of_device = true;
      // Some run gives a device parameter CUDA; a function that takes options mostly wants an
      // element type.
      step.symbols[symbol].may_cuda = declared.type.role == Role::kDevice;
      state.variables[variable] =
          declared.type.role == Role::kDevice ? Value::of(device) : Value::options(device, true);
      return;
    }
    step.symbols[symbol].may_cuda = origin == Origin::kParameter && on_cuda.count(number) != 0;
    const ObjectId id = step.origins.intern(origin, number, 0, 0, kNoBlock);
    Object object;
    object.device = device;
    object.alias = id;
    object.version = first_version(id);
    object.placed = Placed::kGiven;
    object.kind = kind_of(declared.type.role);
    const bool made_here = origin == Origin::kThis && step.facts.is_constructor;
    if (object.kind == ObjectKind::kModule)
      object.strict = !made_here ? class_strict(step.unit, step.surroundings, declared.type.record)
                      : step.unit[declared.type.record].container ? Strict::kNo
                                                                  : Strict::kUnknown;
    if (object.kind == ObjectKind::kTensor || object.kind == ObjectKind::kList ||
        object.kind == ObjectKind::kTuple)
      object.rank = Rank::kHeld;
    if (object.kind == ObjectKind::kRecord) object.device = Device::unknown();
    if (made_here) object.device = Device::bottom();
    if (declared.type.role == Role::kMemory && !declared.type.handle) {  // an array, a vector
      const Elements said = declared.type.elements;
      place_elements(object, said == Elements::kAnywhere ? Elements::kOnHost : said);
    }
    state.objects[id] = object;
    state.variables[variable] = Value::of(id);
    const VariableId hidden = origin == Origin::kThis ? kHiddenThis : hidden_parameter(number);
    state.variables[hidden] = Value::of(id);
  };
  give(kThisVariable, kThisParameter, Origin::kThis);
  // A device that only some path changes is what it was on the others.
  for (const Place& place : step.facts.places)
    if (place.root == kThisVariable && place.fields.size() == 1 && !step.facts.is_constructor &&
        step.unit.fields[place.fields.front()].type.role == Role::kDevice)
      field_value(step, state.variables[kThisVariable].object, place.fields.front());
  for (std::uint32_t number = 0; number < step.facts.parameters.size(); ++number)
    give(step.facts.parameters[number], number, Origin::kParameter);
  return state;
}

}  // namespace xfer::analyzer
