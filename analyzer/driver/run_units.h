#pragma once
// Carries a plan out on worker processes.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/driver/cross_file.h"
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
  std::size_t analysed_again = 0;  ///< after other units told more, in the AST that was there
  std::size_t parsed_again = 0;    ///< the same, but the AST had been given up for memory
};

struct RunLimits {
  unsigned workers = 1;
  unsigned timeout_seconds = 300;  ///< for one unit
  std::size_t worker_bytes = 0;    ///< see WorkerSetup::memory_bytes
};

/// As many workers as the person wants (0: by cores), and by free memory.
RunLimits run_limits(unsigned jobs, unsigned timeout_seconds, std::size_t units);

/// Units whose precompiled header is to be built wait for it; if that fails they are parsed
/// without. Then `cross_file` says which to analyse again.
RunOutcome run_units(Plan& plan, WorkerSetup setup, const PchCache* cache, const RunLimits& limits,
                     CrossFile& cross_file);

}  // namespace xfer::lint
