#pragma once
// One trace, examined: the findings with what ties them to their events.

#include <nlohmann/json.hpp>
#include <vector>

#include "xfer/engine.h"
#include "xfer/report_builder.h"
#include "xfer/rules/run_info.h"

namespace xfer {

struct FoundAt {
  Finding finding;
  EngineFinding calls;                ///< of all call paths to the place
  std::vector<std::uint64_t> runs{};  ///< of several, those that have it
};

struct Examined {
  std::vector<FoundAt> findings;  ///< most costly first
  nlohmann::ordered_json stats;
  RunInfo run;
};

/// Reads the trace to its end.
Examined examine(Trace& trace, const ReportBuilderOptions& options);

}  // namespace xfer
