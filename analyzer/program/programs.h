#pragma once
// The programs among units: one for each main, and one for the tests of each folder, with the units
// that its calls, and its globals, lead to. Values that one program gives a function that several
// share say nothing of the others.

#include <cstddef>
#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

/// Numbers of units, ascending; each unit is in some program. Without a main all units are one.
/// Of functions that several units define under one name, a call is taken to be of those that lie
/// nearest to the program's start. A unit that no call leads to may register what it has: it is,
/// with what it calls, in all programs that start in the nearest folder around it that has a start,
/// or below that; in all that there are, where there is no such folder. Null units are in none.
using Program = std::vector<std::size_t>;

std::vector<Program> programs_of(const std::vector<const Unit*>& units);

}  // namespace xfer::analyzer
