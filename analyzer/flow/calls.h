#pragma once
// What a call does to a state: which of its meanings applies.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply(Step& step, const fact::Invoke& what);

}  // namespace xfer::analyzer
