#pragma once
// What code that nobody knows may do: to its arguments, to globals, to anything from outside.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply_unknown(Step& step, const Call& call);

}  // namespace xfer::analyzer
