#pragma once
// Values that come from no variable: of which nothing is known, one of two, a copy, a loader's
// batch.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply(Step& step, const fact::Fresh& what);
Value apply(Step& step, const fact::Select& select);
Value apply(Step& step, const fact::Copy& copy);
Value apply(Step& step, const fact::Batch& batch);

}  // namespace xfer::analyzer
