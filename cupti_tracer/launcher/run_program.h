#pragma once
// Runs a program to its end and says how that came about. Signals that a terminal sends go to both;
// those sent to xfertrace alone are passed on.

#include <string>
#include <utility>
#include <vector>

namespace xfer::launcher {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Ended {
  int exit_code = 0;    ///< when no signal
  int signal = 0;       ///< 0: it ended by itself
  int start_error = 0;  ///< errno: it could not be started
  int process = 0;      ///< its id

  bool by_itself() const { return signal == 0 && start_error == 0; }
};

/// `changes` are set in the program's environment, on top of this process's.
Ended run_program(const std::vector<std::string>& command, const Environment& changes);

/// Sends a signal to the program that is running; nothing when there is none. From any thread.
void signal_program(int signal);

/// From now on a file that grows beyond its limit (ulimit -f) is an error of the write, and no
/// signal that ends this process. Programs that it runs have the signal as it was.
void survive_file_limits();

}  // namespace xfer::launcher
