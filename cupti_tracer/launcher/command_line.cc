#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>

#include "window_command.h"

namespace xfer::launcher {
namespace {

constexpr auto kTakesValue = std::to_array<std::string_view>(
    {"--format", "-o", "--output", "--record", "--fail-on", "--error-exitcode", "--suppressions",
     "--debug-dir", "--commit"});

constexpr const char* kRunDescription =
    "xfertrace [OPTIONS] [--] PROGRAM [ARGS]   run a CUDA program and report needless transfers\n"
    "xfertrace report [OPTIONS] FILE...        report recorded traces: .xft, torch.profiler's "
    "JSON,\n"
    "                                          Nsight Systems' SQLite\n"
    "xfertrace diff [OPTIONS] BEFORE AFTER     compare two traces or JSON reports\n";

constexpr const char* kRunFooter =
    "\n"
    "xfertrace reports when the program has ended. Without -o, text goes to stderr (the "
    "program's\n"
    "stdout stays its own) and the other formats to stdout; -o - is stdout.\n"
    "The exit code is the program's own; a program that a signal ended ends xfertrace by the same\n"
    "signal. 127: there is no such program, 126: it cannot be executed, 2: wrong usage.\n"
    "--error-exitcode N: a program that ends by itself gives N when there are findings (with\n"
    "--fail-on: findings that it names). --fail-on alone means N = 1.\n"
    "Options of the traced process come from XFERCHECK_OPTIONS=key=value:...; help=1 prints "
    "them.\n";

bool takes_value(std::string_view word) {
  return std::find(kTakesValue.begin(), kTakesValue.end(), word) != kTakesValue.end();
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The number after --emulate may stand by itself. A program of that name is ./2.
bool is_emulate_with_number(const std::vector<std::string>& arguments, std::size_t at) {
  return arguments[at] == "--emulate" && at + 1 < arguments.size() && is_number(arguments[at + 1]);
}

// The options are what stands before the program.
std::size_t end_of_options(const std::vector<std::string>& arguments) {
  std::size_t i = 0;
  while (i < arguments.size() && arguments[i].size() > 1 && arguments[i][0] == '-' &&
         arguments[i] != "--")
    i += takes_value(arguments[i]) || is_emulate_with_number(arguments, i) ? 2 : 1;
  return std::min(i, arguments.size());
}

Format parse_format(const std::string& name) {
  static const std::map<std::string, Format> formats = {
      {"text", Format::kText},         {"json", Format::kJson},     {"sarif", Format::kSarif},
      {"github", Format::kGithub},     {"gitlab", Format::kGitlab}, {"html", Format::kHtml},
      {"perfetto", Format::kPerfetto}, {"jsonl", Format::kJsonl}};
  const auto found = formats.find(name);
  if (found == formats.end())
    throw UsageError(
        "--format: expected text, json, jsonl, sarif, github, gitlab, html or perfetto, got '" +
        name + "'");
  return found->second;
}

struct Raw {
  std::string format = "text";
  std::string output;
  std::string fail_on;
  std::string suppressions;
  std::string debug_folder;
  std::string commit;
  bool judge_modelled_times = false;
  std::string emulate;
  std::string record;
  int error_exitcode = -1;
  std::vector<std::string> files;
};

void add_report_options(CLI::App& app, Raw& raw) {
  app.add_option(
      "--format", raw.format,
      "text, json, jsonl (one finding a line, for tables of many runs), sarif, github, gitlab, "
      "html, or perfetto (a timeline for ui.perfetto.dev)");
  app.add_option("-o,--output", raw.output, "Write the report to this file; - is stdout");
  app.add_option("--fail-on", raw.fail_on,
                 "Exit with code 1 on any of these, separated by commas: rules, severities (and "
                 "worse), budgets such as h2d_bytes_per_scope(step)>1MB, or any");
  app.add_option("--error-exitcode", raw.error_exitcode, "Exit code when there are findings")
      ->check(CLI::Range(0, 255));
  app.add_option("--suppressions", raw.suppressions,
                 "File of findings to suppress: rule:pattern lines, matched against the functions, "
                 "files and libraries of the stack");
  app.add_option("--debug-dir", raw.debug_folder,
                 "Folder of separate debug files, by build id or by name, besides /usr/lib/debug")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--judge-modelled-times", raw.judge_modelled_times,
               "On emulated devices, too, report what is judged by times: exposed-copy, slow-copy");
  app.add_option("--commit", raw.commit,
                 "Commit of the program, for --format jsonl; default: git's, of this folder");
}

void parse(CLI::App& app, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    throw Information{app.help()};
  } catch (const CLI::CallForVersion& version) {
    throw Information{std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

unsigned parse_devices(const std::string& text) {
  unsigned devices = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), devices);
  if (error != std::errc() || end != text.data() + text.size() || devices == 0 || devices > 64)
    throw UsageError("--emulate: expected 1 to 64 devices, got '" + text + "'");
  return devices;
}

void fill_report(const Raw& raw, const CLI::App& app, ReportOptions& report) {
  report.format = parse_format(raw.format);
  if (!raw.output.empty()) report.output = raw.output;
  try {
    if (app.count("--suppressions") > 0) report.suppressions = Suppressions::read(raw.suppressions);
  } catch (const std::runtime_error& error) {
    throw UsageError("--suppressions: " + std::string(error.what()));
  }
  try {
    if (app.count("--fail-on") > 0) report.fail_on = FailOn::parse(raw.fail_on);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  report.debug_folder = raw.debug_folder;
  report.commit = raw.commit;
  report.judge_modelled_times = raw.judge_modelled_times;
  if (raw.error_exitcode >= 0) report.error_exitcode = raw.error_exitcode;
}

void fill_window(const std::string& window, const std::string& about, CommandLine& line) {
  line.mode = CommandLine::Mode::kWindow;
  using About = WindowOptions::About;
  line.window.about = about == "transfers"    ? About::kCopies
                      : about == "host_waits" ? About::kHostWaits
                                              : About::kFindings;
  line.window.suppressions = line.report.suppressions;
  try {
    line.window.window = parse_window(window);
    if (line.window.about == About::kFindings) line.window.fail_on = FailOn::parse(about);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

CommandLine parse_report(const std::vector<std::string>& arguments) {
  CLI::App app(
      "Report recorded traces; several are merged into one report, which goes to stdout. A trace "
      "is\n"
      "xfertrace's own (.xft), torch.profiler's JSON (plain or gzip), or the SQLite file that\n"
      "`nsys export --type sqlite` writes: the content tells, not the name",
      "xfertrace report");
  Raw raw;
  add_report_options(app, raw);
  app.add_option("FILE", raw.files, "Traces");
  // The options by which the library in a traced process asks; see window_command.h.
  std::string window, about;
  app.add_option("--window", window)->group("");
  app.add_option("--about", about)->group("");
  parse(app, arguments);
  if (raw.files.empty())
    throw UsageError("report: no trace given; usage: xfertrace report FILE...");
  CommandLine line;
  line.mode = CommandLine::Mode::kReport;
  line.traces.assign(raw.files.begin(), raw.files.end());
  fill_report(raw, app, line.report);
  if (app.count("--window") > 0) fill_window(window, about, line);
  return line;
}

CommandLine parse_diff(const std::vector<std::string>& arguments) {
  CLI::App app("Show what changed between two runs; exit code 1 when something is new or worse",
               "xfertrace diff");
  Raw raw;
  app.add_option("--format", raw.format, "text, json or html");
  app.add_option("-o,--output", raw.output, "Write to this file; - is stdout");
  app.add_option("FILE", raw.files, "Two traces, or findings written with --format json");
  parse(app, arguments);
  if (raw.files.size() != 2)
    throw UsageError(
        "diff: expected two files; usage: xfertrace diff BEFORE AFTER (a program of that name: "
        "xfertrace -- diff)");
  if (raw.format != "text" && raw.format != "json" && raw.format != "html")
    throw UsageError("diff: --format: expected text, json or html, got '" + raw.format + "'");
  CommandLine line;
  line.mode = CommandLine::Mode::kDiff;
  line.diff = {raw.files[0], raw.files[1], raw.format, std::nullopt};
  if (!raw.output.empty()) line.diff.output = raw.output;
  return line;
}

CommandLine parse_run(const std::vector<std::string>& arguments) {
  const std::size_t end = end_of_options(arguments);
  CLI::App app(kRunDescription, "xfertrace");
  app.footer(kRunFooter);
  app.set_version_flag("--version", "xfertrace " XFER_VERSION);
  Raw raw;
  add_report_options(app, raw);
  app.add_option(
         "--emulate", raw.emulate,
         "--emulate[=N], --emulate [N]: run on N emulated CUDA devices (1). The program must use "
         "CUDA 13's runtime")
      ->expected(0, 1);
  app.add_option("--record", raw.record, "Keep the trace in this file (.xft)");
  parse(app, {arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(end)});
  CommandLine line;
  fill_report(raw, app, line.report);
  if (app.count("--emulate") > 0)
    line.emulate = raw.emulate.empty() ? 1 : parse_devices(raw.emulate);
  if (!raw.record.empty()) line.record = raw.record;
  std::size_t program = end;
  if (program < arguments.size() && arguments[program] == "--") ++program;
  line.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(program), arguments.end());
  if (line.program.empty() || line.program.front().empty())
    throw UsageError(end > 0 && is_number(arguments[end - 1])
                         ? "no program given; usage: xfertrace [OPTIONS] [--] PROGRAM [ARGS] (a "
                           "program named " +
                               arguments[end - 1] + ": ./" + arguments[end - 1] + ")"
                         : "no program given; usage: xfertrace [OPTIONS] [--] PROGRAM [ARGS]");
  return line;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "report")
    return parse_report({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments.front() == "diff")
    return parse_diff({arguments.begin() + 1, arguments.end()});
  return parse_run(arguments);
}

}  // namespace xfer::launcher
