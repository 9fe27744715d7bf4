#pragma once
// Waste at one line: findings of the same rule that a person would mend in the same way are one,
// though the engine tells them apart.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "xfer/engine.h"
#include "xfer/symbolize.h"

namespace xfer {

struct FoundAtLine {
  EngineFinding found;  ///< the sum
  std::vector<SymbolFrame> stack;
  std::set<std::string> paths;                       ///< call paths that lead there, as shown
  std::map<std::uint32_t, std::uint64_t> of_site{};  ///< copies made, wasteful or not
};

/// Adds what was found at the line for the same reason, or for another that one edit mends.
void take_in(FoundAtLine& sum, const FoundAtLine& more);

/// Whether one edit mends both, which are of one line and go the same way.
bool is_one_waste(const EngineFinding& a, const EngineFinding& b);

}  // namespace xfer
