#pragma once
// Tensors that stay on the CPU for a reason.

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

/// Somewhere in the unit the host reads the field's data, or a library may.
bool wanted_on_host(const Unit& unit, FieldId field);

}  // namespace xfer::analyzer
