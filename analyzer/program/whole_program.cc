#include "analyzer/program/whole_program.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

namespace xfer::analyzer {

namespace {

/// It gets something that is followed, or has it.
bool may_change_places(const Unit& unit, const Function& function) {
  const auto followed = [](const Parameter& given) { return given.role != Role::kNone; };
  const auto holds = [&](FieldId field) { return unit.fields[field].type.role != Role::kNone; };
  const Class& owner = unit[function.owner];
  return std::ranges::any_of(function.parameters, followed) ||
         (!owner.library && (owner.module || std::ranges::any_of(owner.fields, holds)));
}

/// Functions without a body in this unit that its code calls.
std::set<FunctionId> called_elsewhere(const Unit& unit) {
  std::set<FunctionId> called;
  for (const Function& function : unit.functions) {
    if (function.facts == nullptr) continue;
    for (const Call& call : function.facts->calls)
      for (const FunctionId callee : {call.callee, call.named})
        if (callee && unit[callee].expected) called.insert(callee);
  }
  return called;
}

}  // namespace

bool has_main(const Unit& unit) {
  return std::ranges::any_of(unit.functions, [](const Function& function) {
    return function.qualified_name == "main" && function.facts != nullptr;
  });
}

std::string lacks_of_program(const std::vector<const Unit*>& units) {
  const bool starts = std::ranges::any_of(
      units, [](const Unit* unit) { return unit != nullptr && has_main(*unit); });
  return starts ? lacks_of_started(units) : "no `main` is there";
}

std::string lacks_of_started(const std::vector<const Unit*>& units) {
  std::unordered_set<std::string_view> defined;
  for (const Unit* unit : units) {
    if (unit == nullptr) continue;
    for (const Function& function : unit->functions)
      if (function.defined && !function.identity.empty()) defined.insert(function.identity);
  }
  for (const Unit* unit : units) {
    if (unit == nullptr) continue;
    for (const FunctionId id : called_elsewhere(*unit)) {
      const Function& function = (*unit)[id];
      if (!defined.contains(function.identity) && may_change_places(*unit, function))
        return "`" + function.qualified_name + "` is called and has no body";
    }
  }
  return {};
}

}  // namespace xfer::analyzer
