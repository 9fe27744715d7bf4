#pragma once
// Memory that callees give back.

#include "analyzer/flow/step.h"
#include "analyzer/flow/substitution.h"

namespace xfer::analyzer {

/// Marks the memory that the callee has given back as freed for the caller.
void free_within(Step& step, Substitution& terms, const Summary& summary);

}  // namespace xfer::analyzer
