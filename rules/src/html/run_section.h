#pragma once
// The section of a page about the runs that its findings come from.

#include <iosfwd>
#include <string>
#include <vector>

#include "xfer/rules/report.h"

namespace xfer::html {

/// The notices that stand before the findings.
void write_notices(std::ostream& out, const std::vector<RunInfo>& runs);

/// A table for each run.
void write_runs(std::ostream& out, const Report& report);

/// "./app --steps 10, 2026-11-23 20:31:02 UTC, 2 emulated devices, exit code 0".
std::string run_line(const RunInfo& run);

}  // namespace xfer::html
