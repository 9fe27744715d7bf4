#pragma once
// Runs a program with the tracer in it, gathers the traces of all its processes, and reports.

#include "command_line.h"
#include "run_program.h"

namespace xfer::launcher {

struct RunResult {
  Ended ended;
  int exit_code = 0;  ///< of xfertrace, when no signal ended the program
};

RunResult run_traced(const CommandLine& line);

}  // namespace xfer::launcher
