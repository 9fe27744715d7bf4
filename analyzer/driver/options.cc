#include "analyzer/driver/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>

namespace xfer::lint {
namespace {

constexpr const char* kExitCodes =
    "Exit code: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration,\n"
    "3 a file did not parse, crashed the analysis or ran out of time (its findings are still "
    "shown).";

const std::map<std::string, Format> kFormats = {
    {"text", Format::kText},     {"json", Format::kJson},     {"sarif", Format::kSarif},
    {"github", Format::kGithub}, {"gitlab", Format::kGitlab}, {"html", Format::kHtml}};
const std::map<std::string, Severity> kSeverities = {
    {"error", Severity::kError}, {"warning", Severity::kWarning}, {"advice", Severity::kAdvice}};

template <typename T>
void add_choice(CLI::App& app, const char* name, T& value, const std::map<std::string, T>& choices,
                const char* help) {
  std::vector<std::string> names;
  for (const auto& [choice, unused] : choices) names.push_back(choice);
  app.add_option_function<std::string>(
         name, [&value, &choices](const std::string& text) { value = choices.at(text); }, help)
      ->check(CLI::IsMember(names));
}

void declare_selection(CLI::App& app, Options& options) {
  app.add_option("files", options.files,
                 "files, folders, or regular expressions on the database's paths; default: all");
  app.add_option("-p,--build", options.build_dir,
                 "folder with compile_commands.json; default: ., build/, and the files' parents");
  app.add_option("-j,--jobs", options.jobs, "worker processes; default: by cores and free memory")
      ->check(CLI::Range(1U, 1024U));
  app.add_option("--checks", options.checks,
                 "comma-separated globs of rules, '-' switches off: -*,*-transfer");
  app.add_option("--exclude", options.exclude,
                 "leave out files whose path matches this expression");
  app.add_option("--diff-only", options.diff_only,
                 "only findings that touch lines changed since this git revision; - reads a patch");
  app.add_option("--root", options.root, "project root; default: the git work tree");
  app.add_option("--models", options.models, "more API models (YAML); may be repeated")
      ->allow_extra_args(false);
  app.add_option("--cuda-path", options.cuda_path, "CUDA toolkit for .cu files");
  app.add_option("--timeout", options.timeout_seconds, "seconds for one file")
      ->capture_default_str()
      ->check(CLI::Range(1U, 86400U));
  app.add_flag("!--no-pch", options.precompiled_headers,
               "do not share precompiled headers between files and runs");
  app.add_flag("!--no-stored-facts", options.stored_facts,
               "parse every file: take no facts from earlier runs, and keep none");
}

void declare_output(CLI::App& app, Options& options) {
  add_choice(app, "--format", options.format, kFormats,
             "text (default), json, sarif, github, gitlab, html");
  app.add_option("-o,--output", options.output, "write findings here, not to standard output");
  app.add_flag("--fix", options.fix, "apply the fixes that findings carry");
  app.add_option("--baseline", options.baseline, "do not report the findings in this file");
  app.add_option("--write-baseline", options.write_baseline,
                 "write the findings of this run to this file, for --baseline");
  add_choice(app, "--fail-on", options.fail_on, kSeverities,
             "lowest severity that makes the exit code 1: error, warning (default), advice (which "
             "turns the advice rules on; --checks may turn them off)");
  app.add_option("--profile", options.profile,
                 "findings of xfertrace (JSON): attach the cost measured at each line");
  app.add_flag("--stats", options.stats, "say what was parsed, how long it took, what was skipped");
}

void declare_phases(CLI::App& app, Options& options) {
  app.add_option("--emit-facts", options.emit_facts,
                 "write facts about the files to this file, for --merge; report no findings");
  app.add_option("--depfile", options.depfile,
                 "write to this file which files the facts were made from, like a compiler's -MF");
  app.add_flag("--as-compiler", options.as_compiler,
               "take a whole compile command after --: write facts instead of the object (-o), and "
               "its depfile (-MF)");
  app.add_flag("--merge", options.merge,
               "the given files, folders and lists (@FILE) hold facts of --emit-facts: analyse "
               "them as one program");
}

void declare_questions(CLI::App& app, Options& options) {
  app.add_flag("--list-checks", options.list_checks, "list the rules and whether they are on");
  app.add_option("--explain", options.explain, "print the page of one rule");
  app.add_flag("--explain-unknown", options.explain_unknown,
               "say where the analysis lost track of a device, and why");
  app.add_flag("--check-models", options.check_models,
               "check every row of the models against the headers that the files include");
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  Options& options = line.options;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  options.command.assign(argv, argv + argc);
  if (const auto dashes = std::ranges::find(arguments, "--"); dashes != arguments.end()) {
    options.compiler_flags.emplace(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
  }

  CLI::App app(
      "Finds device misuse in C++ and CUDA sources.\n\n"
      "Usage: xferlint [options] [-p BUILD_DIR] [files or regexes]\n"
      "       xferlint [options] files -- compiler flags\n"
      "       xferlint [options] --as-compiler -- compile command\n"
      "       xferlint [options] --merge facts",
      "xferlint");
  app.set_version_flag("--version", "xferlint " XFER_VERSION " (Clang " XFER_CLANG_VERSION ")");
  app.footer(kExitCodes);
  declare_selection(app, options);
  declare_output(app, options);
  declare_phases(app, options);
  declare_questions(app, options);
  try {
    std::ranges::reverse(arguments);
    app.parse(arguments);
  } catch (const CLI::Success& asked) {
    line.exit_code = app.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::cerr << "xferlint: error: " << error.what() << " (xferlint --help lists the options)\n";
    line.exit_code = 2;
  }
  return line;
}

}  // namespace xfer::lint
