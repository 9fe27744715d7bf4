#pragma once
// Carries a plan out on worker processes.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/driver/parse.h"
#include "analyzer/driver/plan.h"
#include "analyzer/driver/worker.h"

namespace xfer::lint {

struct UnitOutcome {
  UnitResult result;
  std::string failure;  ///< the worker crashed or took too long: there is no result
};

struct RunOutcome {
  std::vector<UnitOutcome> units;  ///< as in the plan
  std::size_t pchs_built = 0;
  std::size_t pchs_used = 0;
};

/// Units whose precompiled header is to be built wait for it; if that fails they are parsed
/// without.
RunOutcome run_units(Plan& plan, const WorkerSetup& setup, const PchCache* cache, unsigned workers,
                     unsigned timeout_seconds);

/// Worker processes for `units` files: by cores, and by free memory, as a large unit takes 700 MB.
unsigned default_workers(std::size_t units);

}  // namespace xfer::lint
