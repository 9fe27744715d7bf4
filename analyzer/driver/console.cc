#include "analyzer/driver/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "xfer/rules/machine.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

bool failed(const FileOutcome& file) {
  return !file.failure.empty() || !file.facts.errors.empty() || !file.facts.unit;
}

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Clang's own texts name files as the compiler was given them.
std::string without_root(std::string text, const fs::path& root) {
  const std::string prefix = (root / "").string();
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
    text.erase(at, prefix.size());
  return text;
}

std::string first_problem(const FileOutcome& file, const fs::path& root) {
  if (!file.failure.empty()) return without_root(file.failure, root);
  if (!file.facts.errors.empty()) return without_root(file.facts.errors.front().message, root);
  return "Clang could not start on it";
}

void say_errors(const FileFacts& facts, const fs::path& root) {
  constexpr std::size_t kShown = 3;
  const std::string& file = facts.file;
  const auto& errors = facts.errors;
  for (std::size_t i = 0; i < std::min(errors.size(), kShown); ++i) {
    const ParseError& error = errors[i];
    const std::string place =
        error.file.empty() ? file : fmt::format("{}:{}:{}", error.file, error.line, error.column);
    std::cerr << fmt::format("{}: error: {}\n", place, without_root(error.message, root));
  }
  if (errors.size() > kShown) {
    std::cerr << fmt::format("{}: error: and {}\n", file,
                             counted(errors.size() - kShown, "more error"));
  }
}

}  // namespace

void say(const std::string& text) { std::cerr << "xferlint: " << text << '\n'; }

std::string shown_file(const fs::path& file, const fs::path& root) {
  Report one;
  one.findings.emplace_back().location.file = file.string();
  make_relative(one, root);
  return one.findings.front().location.file;
}

std::size_t failed_files(const RunState& run) {
  return static_cast<std::size_t>(std::ranges::count_if(run.files, failed));
}

void say_parse_failures(const RunState& run) {
  for (const FileOutcome& outcome : run.files) {
    if (!failed(outcome)) continue;
    const std::string& file = outcome.facts.file;
    if (!outcome.failure.empty()) {
      std::cerr << fmt::format("{}: error: not analysed: the worker {}\n", file,
                               without_root(outcome.failure, run.root));
    } else if (outcome.facts.errors.empty()) {
      std::cerr << fmt::format("{}: error: {}\n", file, first_problem(outcome, run.root));
    } else {
      say_errors(outcome.facts, run.root);
    }
  }
}

void say_summary(const RunState& run, bool details) {
  const auto analysed = static_cast<std::size_t>(std::ranges::count_if(
      run.files, [](const FileOutcome& file) { return file.facts.unit.has_value(); }));
  std::string text = counted(analysed, "file") + " analysed";
  if (run.suppressed != 0) text += ", " + counted(run.suppressed, "finding") + " under NOLINT";
  if (run.in_baseline != 0) text += ", " + counted(run.in_baseline, "finding") + " in the baseline";
  if (const std::size_t count = failed_files(run); count != 0)
    text += fmt::format("; {} did not parse completely, so findings may be missing", count);
  say(text);
  if (!details) return;
  for (const auto& [key, value] : run.report.stats.items())
    if (value.is_primitive()) say(fmt::format("{}: {}", key, value.dump()));
  for (const FileOutcome& file : run.files) {
    say(fmt::format("{:.2f} s parse, {:.4f} s facts, {:.4f} s analysis{}{}: {}",
                    file.parse.parse_seconds, file.parse.read_seconds, file.stats.seconds,
                    file.parse.used_pch ? ", precompiled header" : "",
                    file.stored ? ", stored facts" : "", file.facts.file));
    for (const std::string& option : file.dropped)
      say("  left out, as Clang does not know it: " + option);
  }
}

void add_stats(RunState& run) {
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  double parse = 0, engine = 0;
  std::size_t functions = 0, blocks = 0, skipped = 0, operands = 0, operands_known = 0;
  for (const FileOutcome& file : run.files) {
    parse += file.parse.parse_seconds;
    engine += file.parse.read_seconds + file.stats.seconds;
    functions += file.stats.functions;
    blocks += file.stats.blocks;
    skipped += file.stats.skipped;
    operands += file.stats.operands.all;
    operands_known += file.stats.operands.known;
    if (!failed(file)) continue;
    failures.push_back({{"file", file.facts.file},
                        {"errors", file.facts.errors.size()},
                        {"first", first_problem(file, run.root)}});
  }
  auto& stats = run.report.stats;
  stats["files"] = run.files.size();
  stats["parse_failures"] = std::move(failures);
  stats["suppressed"] = run.suppressed;
  stats["in_baseline"] = run.in_baseline;
  stats["functions"] = functions;
  stats["blocks"] = blocks;
  stats["functions_skipped"] = skipped;
  stats["operands"] = operands;
  stats["operands_known"] = operands_known;
  stats["analysed_again"] = run.analysed_again;
  stats["pch_built"] = run.pchs_built;
  stats["pch_used"] = run.pchs_used;
  stats["stored_facts_used"] = run.stored_facts_used;
  stats["parse_seconds"] = parse;
  stats["engine_seconds"] = engine;
  stats["wall_seconds"] = run.wall_seconds;
}

void add_run_info(RunState& run, const std::vector<std::string>& command, std::uint64_t start_ns) {
  RunInfo info = new_run(RunKind::kLint, "xferlint");
  const Machine machine = this_machine();
  std::error_code error;
  info.command = command;
  info.project = run.root.string();
  info.working_directory = fs::current_path(error).string();
  info.start_ns = start_ns;
  info.cpu = machine.cpu;
  info.os = machine.os;
  info.files = run.files.size();
  for (const FileOutcome& file : run.files)
    if (failed(file))
      info.not_parsed.push_back(file.facts.file + ": " + first_problem(file, run.root));
  run.report.runs = {std::move(info)};
}

}  // namespace xfer::lint
