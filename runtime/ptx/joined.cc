#include "joined.h"

#include <set>

#include "reader.h"

namespace xfer::ptx {
namespace {

/// Names that a text defines for others, those excepted that may be defined by several.
std::vector<std::string> definitions(const std::string& text) {
  std::vector<std::string> names;
  for (const Module& module : read_modules(text)) {
    for (const auto& [name, function] : module.functions)
      if (function.visible && !function.declared && !function.weak) names.emplace_back(name);
    for (const auto& variable : module.variables)
      if (variable.visible && !variable.external && !variable.weak)
        names.emplace_back(variable.name);
  }
  return names;
}

}  // namespace

Joined joined(const std::vector<std::string>& texts) {
  Joined result;
  std::set<std::string> defined;
  for (const std::string& text : texts) {
    if (texts.size() > 1)
      for (const std::string& name : definitions(text))
        if (!defined.insert(name).second) return {{}, name};
    result.text += text + "\n";
  }
  return result;
}

}  // namespace xfer::ptx
