#pragma once
// Runs a command to its end and keeps what it wrote.

#include <map>
#include <string>
#include <vector>

namespace xfer::test {

struct CommandResult {
  int exit_code = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;
};

/// `environment` is set on top of this process's; an empty value removes the variable.
CommandResult run_command(const std::vector<std::string>& command,
                          const std::map<std::string, std::string>& environment = {});

}  // namespace xfer::test
