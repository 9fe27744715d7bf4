#pragma once

#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

/// The units are a program: its start, and every function of the project's own that they call. Null
/// units are none. What else there is of the project may not change what these see.
bool is_whole_program(const std::vector<const Unit*>& units);

}  // namespace xfer::analyzer
