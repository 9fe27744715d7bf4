#pragma once
// Runs a program with the tracer in it, gathers the traces of all its processes, and reports.

#include "command_line.h"
#include "run_program.h"

namespace xfer::launcher {

struct RunResult {
  Ended ended;
  bool halted = false;  ///< by halt_on_error
  int exit_code = 0;    ///< of xfertrace, when no signal ended the program, or when it was halted
};

/// Throws UsageError, or std::runtime_error, with one line.
RunResult run_traced(CommandLine line);

}  // namespace xfer::launcher
