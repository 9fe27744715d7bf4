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
  Finding finding = describe_on_cpu(context_, at.call, here, other, text(*there));
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
  return comes_from(context_.symbols, view.object.device, told_);
}

bool MissingByAgreement::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  return !at.indexing && (judge_on_cpu(at, a, b) || judge_on_cpu(at, b, a));
}

}  // namespace xfer::analyzer
