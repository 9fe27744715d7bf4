#pragma once
// The effects of a virtual call: those that all methods that it may run have in common.

#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

/// `one` or `other`, whichever runs.
Summary either(const Summary& one, const Summary& other);

}  // namespace xfer::analyzer
