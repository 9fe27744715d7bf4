#pragma once
// A run that another tool recorded, as a trace: each call, with the work that it gave and its place
// in the program, becomes events as xfertrace would have recorded them, in the order of the calls.
//
// What other tools do not record is left open: copies have made-up addresses, each its own, no
// content, and kernels may touch everything. So no rule that needs contents can judge, and all
// others see what they need.
//
// Cost: sorts calls, work and scopes once; then O(depth of scopes) a call.

#include <memory>

#include "foreign/run.h"
#include "xfer/trace.h"

namespace xfer::foreign {

std::unique_ptr<Trace> imported_trace(Run run);

}  // namespace xfer::foreign
