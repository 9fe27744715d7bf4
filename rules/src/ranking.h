#pragma once
// The order, totals and descriptions of findings, for several writers.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "xfer/rules/report.h"

namespace xfer {

/// The findings in the order "most severe first"; otherwise as they stood.
std::vector<const Finding*> by_severity(const std::vector<Finding>& findings);

/// How many findings of each severity, indexed by Severity.
std::array<std::size_t, 3> count_by_severity(const std::vector<Finding>& findings);

/// The sum of the measured costs.
Cost total_cost(const std::vector<Finding>& findings);

/// A stack of one frame that is the finding's own line says nothing new.
bool stack_says_more(const Finding& finding);

/// "12 times, 1.5 GiB, 30.1 ms on the host, 12 ms on the device", without the parts that are zero;
/// "once, 4 KiB, modelled 30.1 ms on the host". `run_ns`: how long the run took, where known;
/// shares of it are told.
std::string describe(const Cost& cost, std::uint64_t run_ns = 0,
                     const std::optional<StepShare>& step = std::nullopt);

/// "occurred 12 times, 1.5 GiB". The finding has a cost.
std::string describe_occurrence(const Finding& finding, std::uint64_t run_ns = 0);

/// "src/train.cc:12:7", fit to print; without a file the function.
std::string describe(const Location& location);

/// "3 findings: 1 error, 2 warnings".
std::string describe_counts(const Report& report);

}  // namespace xfer
