#pragma once
// Whether a module's forward needs its input where the module is, by its class.

#include "analyzer/facts/unit.h"
#include "analyzer/flow/surroundings.h"

namespace xfer::analyzer {

/// Of a team's own container its constructors tell, if all of them agree.
Strict class_strict(const Unit& unit, Surroundings& surroundings, ClassId record);
/// Of a team's own module, by what its forward does with its input.
Strict forward_strict(const Unit& unit, Surroundings& surroundings, ClassId record);

}  // namespace xfer::analyzer
