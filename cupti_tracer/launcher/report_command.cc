#include "report_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "git_commit.h"
#include "xfer/report_builder.h"
#include "xfer/rules/report.h"
#include "xfer/timeline.h"

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

ReportBuilderOptions building(const ReportOptions& wanted) {
  ReportBuilderOptions options;
  options.project_root = project_root_of(fs::current_path());
  options.debug_folder = wanted.debug_folder;
  options.suppressions = wanted.suppressions;
  options.judge_modelled_times = wanted.judge_modelled_times;
  return options;
}

struct Written {
  const BuiltReport& built;
  const std::vector<fs::path>& traces;
  const ReportOptions& options;
  bool of_program;  ///< that just ran: its traces may have no lasting names
};

/// Each run for itself: who reads lines of many runs adds them up as the question wants it.
void write_lines(const Written& what, std::ostream& out) {
  const std::string commit =
      what.options.commit.empty() ? git_commit(what.built.root) : what.options.commit;
  for (const fs::path& trace : what.traces) {
    const Report one =
        what.traces.size() == 1 ? what.built.report : build({trace}, what.options).report;
    const std::string run =
        what.of_program ? command_text(one.runs.front().command) : trace.string();
    write_jsonl(one, out, {run, commit});
  }
}

void write(const Written& what, Format format, std::ostream& out, bool color) {
  const auto& [report, root, damaged] = what.built;
  switch (format) {
    case Format::kText: write_text(report, out, {.color = color, .root = root}); break;
    case Format::kJson: write_json(report, out); break;
    case Format::kSarif: write_sarif(report, out, root); break;
    case Format::kGithub: write_github(report, out); break;
    case Format::kGitlab: write_gitlab(report, out); break;
    case Format::kHtml: write_html(report, out, root); break;
    case Format::kPerfetto: write_perfetto(what.traces, building(what.options), out); break;
    case Format::kJsonl: write_lines(what, out); break;
  }
}

std::string cannot_write(const fs::path& file, const char* option, const std::string& reason) {
  return option + (": " + file.string()) + " cannot be written: " + reason;
}

// Of one process, or of each of several.
bool is_damaged(const nlohmann::ordered_json& stats) {
  bool damaged = stats.contains("damaged");
  if (const auto all = stats.find("processes"); all != stats.end())
    for (const auto& process : *all) damaged = is_damaged(process) || damaged;
  return damaged;
}

void say_suppressed(const nlohmann::ordered_json& stats) {
  if (const auto all = stats.find("processes"); all != stats.end())
    for (const auto& process : *all) say_suppressed(process);
  if (const auto suppressed = stats.find("suppressed"); suppressed != stats.end())
    std::cerr << "xfertrace: suppressed: " << suppressed->dump() << '\n';
}

void say_problems(const nlohmann::ordered_json& stats) {
  if (const auto all = stats.find("processes"); all != stats.end())
    for (const auto& process : *all) say_problems(process);
  if (const auto problems = stats.find("problems"); problems != stats.end())
    for (const auto& problem : *problems)
      std::cerr << "xfertrace: " << problem.get<std::string>() << '\n';
}

// A report that a person does not see at once leaves out nothing that has to be known at once.
void say_notices(const Report& report) {
  for (const RunInfo& run : report.runs)
    for (const RunNotice& notice : notices(run)) {
      std::cerr << "xfertrace: " << notice.text << '\n';
      if (!notice.next.empty()) std::cerr << "  try: " << notice.next << '\n';
    }
}

void write_to(const Written& what, DefaultOutput output) {
  const ReportOptions& options = what.options;
  if (options.output && *options.output != "-") {
    std::ofstream file(*options.output, options.append ? std::ios::app : std::ios::out);
    write(what, options.format, file, false);
    file.flush();
    if (file) return;
    const std::string reason = std::strerror(errno);
    write(what, Format::kText, std::cerr, false);
    throw std::runtime_error(cannot_write(*options.output, "-o", reason));
  }
  const bool to_stderr =
      !options.output && output == DefaultOutput::kStderr && options.format == Format::kText;
  std::ostream& out = to_stderr ? std::cerr : std::cout;
  write(what, options.format, out, isatty(to_stderr ? STDERR_FILENO : STDOUT_FILENO) != 0);
  out.flush();
  if (!out) throw std::runtime_error("the report cannot be written to the standard output");
}

}  // namespace

void check_output(const fs::path& file, const char* option) {
  std::error_code ignored;
  const bool is_new = !fs::exists(file, ignored);
  errno = 0;
  if (!std::ofstream(file, std::ios::app))
    throw std::runtime_error(cannot_write(file, option, std::strerror(errno)));
  if (is_new) fs::remove(file, ignored);
}

BuiltReport build(const std::vector<fs::path>& traces, const ReportOptions& wanted,
                  const Window& window) {
  ReportBuilderOptions options = building(wanted);
  options.engine.window = window;
  BuiltReport built{build_report(traces, options), options.project_root, false};
  make_relative(built.report, built.root);
  assign_fingerprints(built.report, built.root);
  built.damaged = is_damaged(built.report.stats);
  if (built.damaged) say_problems(built.report.stats);
  return built;
}

std::vector<Finding> findings_so_far(const fs::path& trace, const ReportOptions& wanted) {
  const ReportBuilderOptions options = building(wanted);
  Report report = build_report({trace}, options);
  make_relative(report, options.project_root);
  return std::move(report.findings);
}

ReportResult report_traces(const std::vector<fs::path>& traces, const ReportOptions& options,
                           DefaultOutput output) {
  const BuiltReport built = build(traces, options);
  say_suppressed(built.report.stats);
  if (options.output || options.format != Format::kText) {
    if (!built.damaged) say_problems(built.report.stats);
    if (output == DefaultOutput::kStderr) say_notices(built.report);
  }
  const std::vector<Finding>& findings = built.report.findings;
  write_to({built, traces, options, output == DefaultOutput::kStderr}, output);
  const std::vector<std::string> exceeded = options.fail_on.exceeded(built.report);
  for (const std::string& line : exceeded) std::cerr << "xfertrace: " << line << '\n';
  const bool failed = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return options.fail_on.empty() ? options.error_exitcode.has_value()
                                   : options.fail_on.matches(finding);
  });
  return {findings.size(), failed || !exceeded.empty(), built.damaged};
}

int exit_code(int program_code, const ReportOptions& options, const ReportResult& result) {
  return result.failed ? options.error_exitcode.value_or(1) : program_code;
}

}  // namespace xfer::launcher
