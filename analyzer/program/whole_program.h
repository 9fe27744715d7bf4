#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

bool has_main(const Unit& unit);

/// The units are a program: its `main`, and every function of the project's own that they call and
/// that may put something elsewhere. Null units are none. Empty: they are; else what is not there.
std::string lacks_of_program(const std::vector<const Unit*>& units);

/// The same of a program whose start is among them.
std::string lacks_of_started(const std::vector<const Unit*>& units);

}  // namespace xfer::analyzer
