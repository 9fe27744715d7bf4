#pragma once
// Runs another program and takes what it prints.

#include <string>
#include <vector>

namespace xfer::lint {

struct ProgramResult {
  int exit_code = -1;  ///< -1: it could not be started or was killed
  std::string output;
  std::string errors;
};

/// `command[0]` is looked for on PATH. No shell is involved. Standard input is empty.
ProgramResult run_program(const std::vector<std::string>& command);

}  // namespace xfer::lint
