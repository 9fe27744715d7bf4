#include "analyzer/program/whole_program.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace xfer::analyzer {

bool is_whole_program(const std::vector<const Unit*>& units) {
  std::unordered_set<std::string_view> defined;
  bool starts = false;
  for (const Unit* unit : units) {
    if (unit == nullptr) continue;
    for (const Function& function : unit->functions) {
      if (function.defined && !function.identity.empty()) defined.insert(function.identity);
      starts |= function.qualified_name == "main" && function.facts != nullptr;
    }
  }
  const auto complete = [&](const Unit* unit) {
    return unit == nullptr || std::ranges::all_of(unit->functions, [&](const Function& function) {
             return !function.expected || defined.contains(function.identity);
           });
  };
  return starts && std::ranges::all_of(units, complete);
}

}  // namespace xfer::analyzer
