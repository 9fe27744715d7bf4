#pragma once
// Calls whose row in the models says what they do.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply_model(Step& step, const Call& call);

}  // namespace xfer::analyzer
