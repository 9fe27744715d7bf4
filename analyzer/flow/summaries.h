#pragma once
// Calls of functions that have a summary: it is read in terms of the arguments.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// Of what the call runs; null: nothing is known of that.
const Summary* summary_for(const Step& step, const Call& call);

Value apply_summary(Step& step, const Call& call, const Summary& summary);

}  // namespace xfer::analyzer
