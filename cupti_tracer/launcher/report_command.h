#pragma once
// Makes the report of one or several traces and writes it.

#include <filesystem>
#include <vector>

#include "command_line.h"
#include "xfer/rules/report.h"

namespace xfer::launcher {

struct ReportResult {
  std::size_t findings = 0;
  bool failed = false;   ///< findings that --fail-on or --error-exitcode is about
  bool damaged = false;  ///< a part of a trace could not be read; said on stderr
};

/// Where the report goes without -o.
enum class DefaultOutput { kStdout, kStderr };

/// Throws std::runtime_error with one line if the file that `option` names cannot be written:
/// before the program runs, not after hours.
void check_output(const std::filesystem::path& file, const char* option);

/// The report of the traces.
struct BuiltReport {
  Report report;
  std::filesystem::path root;
  bool damaged = false;
};
BuiltReport build(const std::vector<std::filesystem::path>& traces,
                  const ReportOptions& wanted = {}, const Window& window = {});

/// The findings that are certain by now, of a trace that is still being written.
std::vector<Finding> findings_so_far(const std::filesystem::path& trace,
                                     const ReportOptions& wanted);

/// Throws std::runtime_error with one line: a trace that cannot be read, an output that cannot be
/// written; the findings are then on stderr.
ReportResult report_traces(const std::vector<std::filesystem::path>& traces,
                           const ReportOptions& options, DefaultOutput output);

/// The exit code of a run whose program ended by itself with `program_code`.
int exit_code(int program_code, const ReportOptions& options, const ReportResult& result);

}  // namespace xfer::launcher
