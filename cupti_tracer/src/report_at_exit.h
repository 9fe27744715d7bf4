#pragma once
// Runs the sibling `xfertrace report` on a finished trace, for a program that was started without
// xfertrace. The report goes where messages go. Safe in a signal handler, after find_sibling() and
// prepare_report().

#include "xfer/options.h"

namespace xfer::tracer {

/// Says what of the options cannot be done.
void prepare_report(const TracerOptions& options);

/// Waits until the report is made. `remove`: the trace is a temporary file. The exit code that the
/// program shall have because of its findings; 0: its own.
int report_trace(const char* path, bool remove) noexcept;

}  // namespace xfer::tracer
