#include "analyzer/driver/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "xfer/rules/machine.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

bool failed(const UnitOutcome& unit) {
  return !unit.failure.empty() || !unit.result.errors.empty() || !unit.result.analysed;
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

std::string first_problem(const UnitOutcome& unit, const fs::path& root) {
  if (!unit.failure.empty()) return without_root(unit.failure, root);
  if (!unit.result.errors.empty()) return without_root(unit.result.errors.front().message, root);
  return "Clang could not start on it";
}

void say_errors(const UnitResult& result, const std::string& file, const fs::path& root) {
  constexpr std::size_t kShown = 3;
  const auto& errors = result.errors;
  for (std::size_t i = 0; i < std::min(errors.size(), kShown); ++i) {
    const ParseError& error = errors[i];
    const std::string place =
        error.file.empty()
            ? file
            : fmt::format("{}:{}:{}", shown_file(error.file, root), error.line, error.column);
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

std::size_t failed_units(const RunOutcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(outcome.units, failed));
}

void say_parse_failures(const RunState& run) {
  for (std::size_t i = 0; i < run.outcome.units.size(); ++i) {
    const UnitOutcome& unit = run.outcome.units[i];
    if (!failed(unit)) continue;
    const std::string file = shown_file(run.plan.units[i].command.file, run.root);
    if (!unit.failure.empty()) {
      std::cerr << fmt::format("{}: error: not analysed: the worker {}\n", file,
                               without_root(unit.failure, run.root));
    } else if (unit.result.errors.empty()) {
      std::cerr << fmt::format("{}: error: {}\n", file, first_problem(unit, run.root));
    } else {
      say_errors(unit.result, file, run.root);
    }
  }
}

void say_summary(const RunState& run, bool details) {
  const std::size_t not_analysed = static_cast<std::size_t>(std::ranges::count_if(
      run.outcome.units, [](const UnitOutcome& unit) { return !unit.result.analysed; }));
  std::string text = counted(run.outcome.units.size() - not_analysed, "file") + " analysed";
  if (run.suppressed != 0) text += ", " + counted(run.suppressed, "finding") + " under NOLINT";
  if (run.in_baseline != 0) text += ", " + counted(run.in_baseline, "finding") + " in the baseline";
  if (const std::size_t count = failed_units(run.outcome); count != 0)
    text += fmt::format("; {} did not parse completely, so findings may be missing", count);
  say(text);
  if (!details) return;
  for (const auto& [key, value] : run.report.stats.items())
    if (value.is_primitive()) say(fmt::format("{}: {}", key, value.dump()));
  for (std::size_t i = 0; i < run.plan.units.size(); ++i) {
    const UnitResult& result = run.outcome.units[i].result;
    const ParseCommand& command = run.plan.units[i].command;
    say(fmt::format("{:.2f} s parse, {:.4f} s analysis{}: {}", result.parse_seconds,
                    result.stats.seconds, result.used_pch ? ", precompiled header" : "",
                    shown_file(command.file, run.root)));
    for (const std::string& option : command.dropped)
      say("  Clang does not know, and was not given: " + option);
  }
}

void add_stats(RunState& run) {
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  double parse = 0, engine = 0;
  std::size_t functions = 0, blocks = 0, skipped = 0;
  for (std::size_t i = 0; i < run.outcome.units.size(); ++i) {
    const UnitOutcome& unit = run.outcome.units[i];
    parse += unit.result.parse_seconds;
    engine += unit.result.stats.seconds;
    functions += unit.result.stats.functions;
    blocks += unit.result.stats.blocks;
    skipped += unit.result.stats.skipped;
    if (!failed(unit)) continue;
    failures.push_back({{"file", shown_file(run.plan.units[i].command.file, run.root)},
                        {"errors", unit.result.errors.size()},
                        {"first", first_problem(unit, run.root)}});
  }
  auto& stats = run.report.stats;
  stats["files"] = run.outcome.units.size();
  stats["parse_failures"] = std::move(failures);
  stats["suppressed"] = run.suppressed;
  stats["in_baseline"] = run.in_baseline;
  stats["functions"] = functions;
  stats["blocks"] = blocks;
  stats["functions_skipped"] = skipped;
  stats["analysed_again"] = run.outcome.analysed_again;
  stats["parsed_again"] = run.outcome.parsed_again;
  stats["pch_built"] = run.outcome.pchs_built;
  stats["pch_used"] = run.outcome.pchs_used;
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
  info.files = run.outcome.units.size();
  for (std::size_t i = 0; i < run.outcome.units.size(); ++i)
    if (failed(run.outcome.units[i]))
      info.not_parsed.push_back(shown_file(run.plan.units[i].command.file, run.root) + ": " +
                                first_problem(run.outcome.units[i], run.root));
  run.report.runs = {std::move(info)};
}

}  // namespace xfer::lint
