#pragma once
// A run as a timeline for the Perfetto UI (ui.perfetto.dev), or chrome://tracing: host calls by
// thread, the device's work by device and stream, scopes, and the findings, with arrows from a
// finding to the first of its calls and from a call to the work that it gave. The format is the
// Trace Event Format, as JSON.
//
// Cost: the traces are read twice; memory as for the report.

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "xfer/report_builder.h"

namespace xfer {

/// Throws TraceError.
void write_perfetto(const std::vector<std::filesystem::path>& traces,
                    const ReportBuilderOptions& options, std::ostream& out);

}  // namespace xfer
