#include "ptx/module.h"

#include <algorithm>

namespace xfer::ptx {

bool Instruction::has(std::string_view modifier) const {
  return std::ranges::find(modifiers, modifier) != modifiers.end();
}

const Function* Module::function(std::string_view name) const {
  if (const auto alias = aliases.find(name); alias != aliases.end()) name = alias->second;
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : &found->second;
}

}  // namespace xfer::ptx
