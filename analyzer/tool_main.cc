// xferlint: finds device misuse in C++ and CUDA sources. See analyzer/driver/lint.h.

#include <cstring>
#include <exception>
#include <iostream>

#include "analyzer/driver/lint.h"
#include "analyzer/driver/options.h"
#include "analyzer/driver/usage_error.h"
#include "analyzer/driver/worker.h"

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::strcmp(argv[1], xfer::lint::kWorkerFlag) == 0)
      return xfer::lint::run_worker();
    const xfer::lint::CommandLine line = xfer::lint::parse_command_line(argc, argv);
    if (line.exit_code) return *line.exit_code;
    return xfer::lint::run_lint(line.options);
  } catch (const xfer::lint::UsageError& error) {
    std::cerr << "xferlint: error: " << error.what() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "xferlint: error: " << error.what() << '\n';
  }
  return xfer::lint::kUsage;
}
