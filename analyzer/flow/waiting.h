#pragma once
// Asynchronous copies that are under way: which calls wait for them, and which do not and should.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

void before_call(Step& step, const Call& call);

}  // namespace xfer::analyzer
