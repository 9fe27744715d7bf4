#include "analyzer/checks/missing_for_loaded.h"

#include <algorithm>

namespace xfer::analyzer {

bool MissingForLoaded::is_loaded(const OperandView& module) const {
  const Device at = module.object.device;
  if (!module.module || is_own(module) || !at.is_symbol()) return false;
  if (context_.symbols[at.symbol].loaded) return true;
  return context_.places_in_program(module.object) == DeviceSet(DeviceSet::kLoaded);
}

bool MissingForLoaded::is_chosen(Device device) const {
  if (!device.is_symbol()) return false;
  const Symbol& symbol = context_.symbols[device.symbol];
  const DeviceSet places = context_.places_in_program(device);
  return places == DeviceSet(DeviceSet::kChosen) ||
         (symbol.may_cpu && symbol.may_cuda && !places.settled() && !places.always_cpu());
}

bool MissingForLoaded::judge_module(const Meeting& at, const OperandView& module,
                                    const OperandView& input) {
  if (!is_loaded(module)) return false;
  const Device file = module.object.device;
  if (has(told_, file)) return true;
  const std::vector<Device> places = agreements_.with(input.object.device, at.block, {file});
  const auto chosen = std::ranges::find_if(places, [&](Device place) { return is_chosen(place); });
  if (chosen == places.end()) return false;
  Finding finding = describe(context_, at.call, {&module, &input},
                             "the device that it was saved on", context_.text(*chosen));
  if (module.object.placed_at)
    finding.notes.push_back(context_.note(
        module.object.placed_at, operand_name(context_, module) + " was read from a file here"));
  context_.add_choice(finding, *chosen);
  add_circumstances(at, finding);
  say(context_, at, std::move(finding));
  told_.push_back(file);
  return true;
}

bool MissingForLoaded::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  return judge_module(at, a, b) || judge_module(at, b, a);
}

}  // namespace xfer::analyzer
