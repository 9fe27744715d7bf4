#pragma once
// The programs among units: one for each main, with the units that its calls, and its globals, lead
// to. What one program gives a function that several share says nothing of the others.

#include <cstddef>
#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

/// Numbers of units, ascending; each unit is in some program. Without a main all units are one.
/// Of functions that several units define under one name, a call is taken to be of those that lie
/// nearest to the program's main. A unit that no call leads to may register what it has: it is in
/// all programs, unless it has a main of its own. Null units are in none.
using Program = std::vector<std::size_t>;

std::vector<Program> programs_of(const std::vector<const Unit*>& units);

}  // namespace xfer::analyzer
