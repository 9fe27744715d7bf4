#pragma once
// Messages of a run on standard error besides its findings, and the statistics of its report.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/driver/parse_files.h"
#include "xfer/rules/report.h"

namespace xfer::lint {

/// A source file of the run.
struct FileOutcome {
  FileFacts facts;
  ParseReply parse;
  bool stored = false;               ///< the facts are of an earlier run
  std::set<std::string> read;        ///< what they were made from, for --depfile
  std::string failure;               ///< the worker crashed or took too long
  std::vector<std::string> dropped;  ///< options that Clang does not know
  analyzer::AnalysisStats stats;
};

struct RunState {
  std::filesystem::path root;
  std::vector<FileOutcome> files;
  std::size_t pchs_built = 0;
  std::size_t pchs_used = 0;
  std::size_t stored_facts_used = 0;  ///< files that were not parsed
  std::size_t analysed_again = 0;     ///< units, after others told more
  Report report;
  std::size_t suppressed = 0;   ///< findings under a NOLINT
  std::size_t in_baseline = 0;  ///< findings that the baseline lists
  double wall_seconds = 0;
};

/// One line on standard error.
void say(const std::string& text);

/// `file` as reports name it: relative below the root.
std::string shown_file(const std::filesystem::path& file, const std::filesystem::path& root);

/// Files that crashed Clang, ran out of time, or have parse errors.
std::size_t failed_files(const RunState& run);

/// The first errors of each failed file, as file:line:column: error: text.
void say_parse_failures(const RunState& run);
/// One line; with `details` also the statistics and a line for each file.
void say_summary(const RunState& run, bool details);

/// Fills the report's statistics.
void add_stats(RunState& run);

/// Says in the report what this run was: `command` since `start_ns` (since 1970, UTC).
void add_run_info(RunState& run, const std::vector<std::string>& command, std::uint64_t start_ns);

}  // namespace xfer::lint
