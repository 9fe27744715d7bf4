#include "analyzer/flow/strictness.h"

namespace xfer::analyzer {
namespace {

bool is_whole(const DeviceTerm& term, std::uint32_t parameter) {
  return term.kind == DeviceTerm::Kind::kOfParameter && term.parameter == parameter &&
         term.path.empty();
}

}  // namespace

Strict class_strict(const Unit& unit, Surroundings& surroundings, ClassId record) {
  const Class& known = unit[record];
  if (!record) return Strict::kUnknown;
  if (!known.library) {
    if (!known.container) return Strict::kUnknown;
    std::optional<Strict> strict;
    for (const FunctionId constructor : known.constructors) {
      if (unit[constructor].copies) continue;
      const Summary& made = surroundings.summary_of(constructor);
      if (!made.known || (strict && *strict != made.self_strict)) return Strict::kUnknown;
      strict = made.self_strict;
    }
    return strict.value_or(Strict::kUnknown);
  }
  const FunctionModel* forward = known.forward_model;
  if (forward == nullptr || forward->module_parts) return Strict::kUnknown;
  return forward->module_forward ? Strict::kYes : Strict::kNo;
}

Strict forward_strict(const Unit& unit, Surroundings& surroundings, ClassId record) {
  const FunctionId forward = unit[record].forward;
  if (!forward) return Strict::kUnknown;
  for (const Need& need : surroundings.summary_of(forward).needs)
    if (!need.zero_dim_cpu && ((is_whole(need.first, kThisParameter) && is_whole(need.second, 0)) ||
                               (is_whole(need.first, 0) && is_whole(need.second, kThisParameter))))
      return Strict::kYes;
  return Strict::kUnknown;
}

}  // namespace xfer::analyzer
