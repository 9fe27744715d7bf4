// xfertrace: runs a CUDA program with the tracer in it, and reports needless transfers; or reports
// recorded traces.

#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>

#include "command_line.h"
#include "report_command.h"
#include "run_program.h"
#include "traced_run.h"
#include "window_command.h"

namespace {

constexpr int kUsage = 2;
constexpr int kBadInput = 2;

// Ends this process as the program ended, so that whoever waits for it sees the same.
int end_by_signal(int signal) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(signal, SIG_DFL);
  raise(signal);
  return 128 + signal;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace xfer::launcher;
  survive_file_limits();
  try {
    const CommandLine line = parse_command_line({argv + 1, argv + argc});
    if (line.mode == CommandLine::Mode::kReport) {
      const ReportResult result = report_traces(line.traces, line.report, DefaultOutput::kStdout);
      return exit_code(result.damaged ? kBadInput : 0, line.report, result);
    }
    if (line.mode == CommandLine::Mode::kWindow) {
      report_window(line.traces.front(), line.window, std::cout);
      return 0;
    }
    if (line.mode == CommandLine::Mode::kDiff) return diff_reports(line.diff);
    const RunResult result = run_traced(line);
    if (result.ended.signal != 0 && !result.halted) return end_by_signal(result.ended.signal);
    return result.exit_code;
  } catch (const Information& information) {
    std::cout << information.text;
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "xfertrace: " << error.what() << '\n';
    return kUsage;
  } catch (const std::exception& error) {
    std::cerr << "xfertrace: " << error.what() << '\n';
    return kUsage;
  }
}
