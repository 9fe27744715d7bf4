#pragma once
// Possible effects of unknown code: on its arguments, on globals, on anything from outside.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply_unknown(Step& step, const Call& call);

}  // namespace xfer::analyzer
