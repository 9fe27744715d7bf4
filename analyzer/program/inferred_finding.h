#pragma once

#include "xfer/rules/finding.h"

namespace xfer::analyzer {

/// A finding that rests on the whole program.
struct InferredFinding {
  Finding finding;
  Location operation;  ///< that fails; the finding may stand at a call that leads there
  bool here = false;   ///< it stands at the operation
  bool given = false;  ///< the function was given all that it takes: its callers may say it better
};

}  // namespace xfer::analyzer
