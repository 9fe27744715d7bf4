#pragma once
// Runs a program on emulated devices and keeps what it said.

#include <string>
#include <vector>

namespace xfer::test {

struct Outcome {
  std::string out;
  std::string err;
  int exit_code = -1;  ///< -1: died by `signal`
  int signal = 0;
};

/// `environment` is a list of NAME=value that come on top of this process's own;
/// XFERCHECK_EMULATE=1 unless it says otherwise.
Outcome run_emulated(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment = {});

/// The test program with its kernels' host versions.
Outcome run_with_kernels(const std::string& act, const std::string& options = "",
                         const std::string& devices = "1");

}  // namespace xfer::test
