#include "analyzer/checks/missing_by_agreement.h"

#include <algorithm>

namespace xfer::analyzer {

bool MissingByAgreement::judge_on_cpu(const Meeting& at, const OperandView& cpu,
                                      const OperandView& other) {
  const Device unknown = other.object.device;
  if (!unknown.is_symbol() || !context_.always_on_cpu(cpu.object) || (is_own(cpu) && is_own(other)))
    return false;
  if (context_.places_in_program(other.object).always_cpu()) return false;
  OperandView here = cpu;
  here.object.device = Device::cpu();
  if (exempt(here, other, at.zero_dim_cpu)) return false;
  const std::vector<Device> places =
      agreements_.with(unknown, at.block, {cpu.object.device, Device::cpu()});
  // Where the callers say one, they say the other too.
  const bool given = !cpu.object.device.is_cpu();
  const auto there = std::ranges::find_if(places, [&](Device place) {
    if (given && place.is_symbol() && !context_.places_in_program(place).may_be_cuda())
      return false;
    // Not what is made of several: one of them says it by its name.
    return agreements_.meant_for_cuda(place) &&
           (place.is_cuda() || context_.symbols[place.symbol].all_of.empty());
  });
  if (there == places.end()) return false;
  const std::string device = text(*there);
  // What the callee made itself has no name here.
  Finding finding = is_own(cpu) ? describe(context_, at.call, {&other, &here}, device, "the CPU")
                                : describe(context_, at.call, {&here, &other}, "the CPU", device);
  if (!is_own(cpu)) context_.add_placement(finding, operand_name(context_, cpu), here.object);
  context_.add_choice(finding, *there);
  add_circumstances(at, finding);
  say(context_, at, std::move(finding));
  told_.push_back(unknown);
  return true;
}

std::string MissingByAgreement::text(Device device) const {
  return is_device_value(context_, device) ? context_.text(device) : "a device that may be CUDA";
}

bool MissingByAgreement::told(const OperandView& view) const {
  if (told_.empty()) return false;
  std::vector<Device> places;
  add_places(context_.symbols, view.object.device, false, places);
  return std::ranges::any_of(places, [&](Device place) { return has(told_, place); });
}

bool MissingByAgreement::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  if (context_.program == nullptr || at.indexing || !context_.unguarded(at.block, true))
    return false;
  return judge_on_cpu(at, a, b) || judge_on_cpu(at, b, a);
}

}  // namespace xfer::analyzer
