#pragma once
// Runs the sibling `xfertrace report` on a finished trace, for a program that was started without
// xfertrace. The report goes to stderr. Safe in a signal handler: what it needs is prepared at
// start.

namespace xfer::tracer {

/// Finds the program beside this library. Call once at start.
void prepare_report() noexcept;

/// Waits until the report is made. `remove`: the trace is a temporary file.
void report_trace(const char* path, bool remove) noexcept;

}  // namespace xfer::tracer
