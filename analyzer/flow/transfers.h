#pragma once
// Transfers: what they return, of what it is a copy, and whether the same copy is there already.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply_transfer(Step& step, const Call& call);

}  // namespace xfer::analyzer
