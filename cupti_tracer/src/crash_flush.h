#pragma once
// Keeps the trace when a signal ends the program: handlers for the signals that kill by default,
// set only where the program has none. They write what is buffered and let the signal do its work;
// the exit status and the core file are the program's own. A program that sets its own handler
// later replaces them.

namespace xfer::tracer {

void install_crash_flush() noexcept;

}  // namespace xfer::tracer
