#pragma once
// Memory that callees give back.

#include "analyzer/flow/step.h"
#include "analyzer/flow/substitution.h"

namespace xfer::analyzer {

/// What the callee has given back is freed for the caller.
void free_within(Step& step, Substitution& terms, const Summary& summary);

}  // namespace xfer::analyzer
