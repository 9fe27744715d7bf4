#pragma once
// The effects of a call on a state: chooses which of the call's meanings applies.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply(Step& step, const fact::Invoke& what);

}  // namespace xfer::analyzer
