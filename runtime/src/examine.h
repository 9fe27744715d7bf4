#pragma once
// One trace, examined: the findings with what ties them to their events.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "xfer/report_builder.h"

namespace xfer {

struct FoundAt {
  Finding finding;
  std::uint32_t site = 0;
  std::uint64_t first_ns = 0;  ///< host clock of the first of its calls
};

struct Examined {
  std::vector<FoundAt> findings;  ///< most costly first
  nlohmann::ordered_json stats;
};

/// Reads the trace to its end.
Examined examine(TraceReader& trace, const ReportBuilderOptions& options);

}  // namespace xfer
