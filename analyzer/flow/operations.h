#pragma once
// Operations on tensors: which operands must agree, and where the result is.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply_plain(Step& step, const Call& call);

}  // namespace xfer::analyzer
