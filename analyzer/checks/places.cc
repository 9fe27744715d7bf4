#include "analyzer/checks/places.h"

#include <algorithm>

namespace xfer::analyzer {

bool has(const std::vector<Device>& places, Device device) {
  return std::ranges::find(places, device) != places.end();
}

void add_places(const SymbolTable& symbols, Device device, Places which,
                std::vector<Device>& places) {
  if (has(places, device)) return;
  places.push_back(device);
  if (!device.is_symbol()) return;
  const Symbol& symbol = symbols[device.symbol];
  for (const Device one : symbol.all_of) add_places(symbols, one, which, places);
  if (which == Places::kPossible || (which == Places::kMet && symbol.origin == Origin::kFact))
    for (const Device one : symbol.one_of) add_places(symbols, one, which, places);
}

bool comes_from(const SymbolTable& symbols, Device device, const std::vector<Device>& places) {
  if (places.empty()) return false;
  std::vector<Device> there;
  add_places(symbols, device, Places::kAgreeing, there);
  return std::ranges::any_of(there, [&](Device place) { return has(places, place); });
}

bool is_device_value(const CheckContext& context, Device place) {
  if (!place.is_symbol()) return place.is_known();
  const Symbol& symbol = context.symbols[place.symbol];
  if (symbol.of_device || symbol.chosen) return true;
  return symbol.origin == Origin::kFact && !symbol.held && !symbol.base && symbol.all_of.empty();
}

Role holder_role(const CheckContext& context, const Symbol& symbol) {
  if (symbol.origin == Origin::kField) return context.unit.fields[symbol.field].type.role;
  const std::vector<VariableId>& parameters = context.facts.parameters;
  if (symbol.origin != Origin::kParameter || symbol.parameter >= parameters.size())
    return Role::kNone;
  return context.facts.variables[parameters[symbol.parameter]].type.role;
}

bool may_be_cuda(const CheckContext& context, Device device) {
  if (!device.is_symbol()) return device.is_cuda();
  const DeviceSet places = context.places_in_program(device);
  // The program's facts say more than a general expectation does.
  if (places.has(DeviceSet::kCpu | DeviceSet::kNewModule | DeviceSet::kSettled))
    return places.may_be_cuda();
  return context.symbols.may_be_cuda(device) || places.may_be_cuda();
}

bool nobody_knows(const CheckContext& context, Device device) {
  if (!device.is_symbol()) return false;
  return !context.places_in_program(device).has(DeviceSet::kPlaced);
}

}  // namespace xfer::analyzer
