#include "analyzer/driver/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <tuple>

#include "analyzer/driver/apply_fixes.h"
#include "analyzer/driver/baseline.h"
#include "analyzer/driver/checks.h"
#include "analyzer/driver/compile_db.h"
#include "analyzer/driver/console.h"
#include "analyzer/driver/diff_filter.h"
#include "analyzer/driver/explain_unknown.h"
#include "analyzer/driver/model_check.h"
#include "analyzer/driver/models.h"
#include "analyzer/driver/nolint.h"
#include "analyzer/driver/output.h"
#include "analyzer/driver/project.h"
#include "analyzer/driver/summary_file.h"
#include "analyzer/driver/toolchain.h"
#include "analyzer/driver/usage_error.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

using Clock = std::chrono::steady_clock;

class LintRun {
 public:
  explicit LintRun(const Options& options) : options_(options), start_(Clock::now()) {}

  int run() {
    check_inputs();
    analyze();
    say_parse_failures(run_);
    if (options_.check_models) return say_model_check(run_.outcome);
    if (options_.explain_unknown) explain_unknown();
    if (!options_.emit_summaries.empty()) return emit_summaries();
    gather();
    filter();
    run_.wall_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    add_stats(run_);
    add_run_info(run_, options_.command, start_ns_);
    // Its excerpts are of the sources as they were analysed: before the fixes.
    write_report(run_.report, options_, run_.root);
    const std::vector<bool> fixed = fix();
    say_summary(run_, options_.stats);
    return exit_code(fixed);
  }

 private:
  /// What can be wrong without parsing anything is said before anything is parsed.
  void check_inputs() {
    rules_ = enabled_rules(options_.checks, options_.fail_on);
    load_models(options_.models);
    if (!options_.profile.empty()) profile_ = read_profile(options_.profile);
    if (!options_.baseline.empty()) apply_baseline(options_.baseline, {}, {});
    if (!options_.output.empty()) check_writable(options_.output);
    if (!options_.write_baseline.empty()) check_writable(options_.write_baseline);
    if (!options_.emit_summaries.empty()) check_writable(options_.emit_summaries);
    selection_ = select_commands(options_);
    for (const std::string& remark : selection_.remarks) say(remark);
    run_.root = project_root(selection_.all_files, options_.root);
    if (!fs::is_directory(run_.root))
      throw UsageError(fmt::format("--root: {} is not a folder", run_.root.string()));
    if (options_.diff_only == "-") {
      changed_ = ChangedLines::from_patch(std::cin);
    } else if (!options_.diff_only.empty()) {
      changed_ = ChangedLines::from_git(options_.diff_only, run_.root);
    }
  }

  void analyze() {
    const Toolchain toolchain{clang_resource_dir(), gcc_include_dir(), options_.cuda_path};
    const RunLimits limits =
        run_limits(options_.jobs, options_.timeout_seconds, selection_.commands.size());
    PchCache cache;
    // A precompiled header does not say which files it was made of, and --check-models asks that.
    const bool precompiled = options_.precompiled_headers && !options_.check_models;
    const PchCache* used = precompiled && cache.usable() ? &cache : nullptr;
    run_.plan = make_plan(selection_.commands, toolchain, run_.root, used, limits.workers);
    WorkerSetup setup;
    setup.root = run_.root.string();
    setup.summaries = absolute(options_.use_summaries);
    setup.hash_inputs = !options_.emit_summaries.empty();
    setup.explain_unknown = options_.explain_unknown;
    setup.check_models = options_.check_models;
    setup.models = absolute(options_.models);
    for (const Rule rule : rules_) setup.rules.emplace_back(info(rule).slug);
    CrossFile cross_file(read_summaries(options_.use_summaries, options_.models, run_.root),
                         analyzed_files());
    run_.outcome = run_units(run_.plan, setup, used, limits, cross_file);
    constexpr std::uintmax_t kCacheBytes = std::uintmax_t{4} << 30;
    if (run_.outcome.pchs_built != 0) cache.trim(kCacheBytes);
  }

  static std::vector<std::string> absolute(const std::vector<std::string>& files) {
    std::vector<std::string> result;
    for (const std::string& file : files) result.push_back(fs::absolute(file).string());
    return result;
  }

  void explain_unknown() {
    const analyzer::Unknowns unknowns = all_unknowns(run_.outcome, run_.root);
    say_unknowns(unknowns);
    run_.report.stats["unknown"] = to_json(unknowns);
  }

  int emit_summaries() {
    std::vector<SummarisedUnit> units;
    const std::vector<std::string> files = analyzed_files();
    for (std::size_t i = 0; i < files.size(); ++i) {
      UnitOutcome& unit = run_.outcome.units[i];
      if (!unit.result.analysed) continue;
      std::map<std::string, std::string> inputs;
      for (const auto& [file, hash] : unit.result.inputs)
        inputs[shown_file(file, run_.root)] = hash;
      units.push_back({files[i], std::move(inputs), std::move(unit.result.summaries)});
    }
    write_summaries(options_.emit_summaries, std::move(units), options_.models);
    return failed_units(run_.outcome) != 0 ? kParseFailure : kClean;
  }

  /// All findings once: a header's come from every unit that includes it.
  void gather() {
    Report& report = run_.report;
    report.tool = "xferlint";
    std::set<std::tuple<Rule, std::string, unsigned, unsigned, std::string>> seen;
    NolintFilter nolint;
    for (UnitOutcome& unit : run_.outcome.units) {
      for (Finding& finding : unit.result.findings) {
        const Location& place = finding.location;
        // One unit may have come to it as `src/../include/x.h`.
        const std::string file = fs::path(place.file).lexically_normal().string();
        if (!seen.emplace(finding.rule, file, place.line, place.column, finding.message).second)
          continue;
        if (nolint.suppresses(finding)) {
          ++run_.suppressed;
        } else {
          report.findings.push_back(std::move(finding));
        }
      }
    }
    for (const std::string& place : nolint.unmatched())
      say(shown_file(place, run_.root) +
          ": NOLINTBEGIN and NOLINTEND do not match here; they suppress nothing");
    make_relative(report, run_.root);
    std::ranges::stable_sort(report.findings, [](const Finding& a, const Finding& b) {
      return std::tie(a.location.file, a.location.line, a.location.column, a.rule) <
             std::tie(b.location.file, b.location.line, b.location.column, b.rule);
    });
    assign_fingerprints(report, run_.root);
  }

  void filter() {
    std::vector<Finding>& findings = run_.report.findings;
    if (!options_.write_baseline.empty()) {
      write_baseline(options_.write_baseline, findings);
      say(fmt::format("{} findings written to {}", findings.size(), options_.write_baseline));
    }
    if (!options_.baseline.empty()) {
      BaselineResult result =
          apply_baseline(options_.baseline, std::move(findings), analyzed_files());
      findings = std::move(result.fresh);
      run_.in_baseline = result.known;
      for (const std::string& entry : result.stale)
        say(fmt::format("{}: {} is gone: --write-baseline takes it out", options_.baseline, entry));
    }
    if (changed_)
      std::erase_if(findings, [&](const Finding& finding) { return !changed_->touches(finding); });
    if (profile_) attach_profile();
  }

  /// The measured cost of each finding's line; findings that were only measured stay with
  /// xfertrace.
  void attach_profile() {
    std::set<std::string> own;
    for (const Finding& finding : run_.report.findings) own.insert(finding.fingerprint);
    Report merged = merge(run_.report, *profile_);
    std::erase_if(merged.findings,
                  [&](const Finding& finding) { return !own.contains(finding.fingerprint); });
    run_.report.findings = std::move(merged.findings);
  }

  std::vector<std::string> analyzed_files() const {
    std::vector<std::string> files;
    for (const PlannedUnit& unit : run_.plan.units)
      files.push_back(shown_file(unit.command.file, run_.root));
    return files;
  }

  std::vector<bool> fix() {
    const std::vector<Finding>& findings = run_.report.findings;
    if (!options_.fix) return std::vector<bool>(findings.size(), false);
    const FixResult result = apply_fixes(findings, run_.root);
    for (const std::string& problem : result.problems) say(problem);
    say(fmt::format("{} of {} findings fixed in {} files", std::ranges::count(result.applied, true),
                    findings.size(), result.files));
    return result.applied;
  }

  int exit_code(const std::vector<bool>& fixed) const {
    if (failed_units(run_.outcome) != 0) return kParseFailure;
    for (std::size_t i = 0; i < run_.report.findings.size(); ++i)
      if (!fixed[i] && run_.report.findings[i].severity <= options_.fail_on) return kFindings;
    return kClean;
  }

  const Options& options_;
  Clock::time_point start_;
  const std::uint64_t start_ns_ =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  std::vector<Rule> rules_;
  Selection selection_;
  std::optional<ChangedLines> changed_;
  std::optional<Report> profile_;
  RunState run_;
};

int merge_summaries(const Options& options) {
  if (options.files.empty())
    throw UsageError("--merge-summaries: name the summary files to merge, or their folders");
  const fs::path root = project_root({fs::current_path() / "any"}, options.root);
  write_summaries(options.merge_summaries, read_summaries(options.files, options.models, root),
                  options.models);
  return kClean;
}

}  // namespace

int run_lint(const Options& options) {
  if (!options.explain.empty()) {
    explain_rule(options.explain, std::cout);
    return kClean;
  }
  if (options.list_checks) {
    list_checks(enabled_rules(options.checks, options.fail_on), std::cout);
    return kClean;
  }
  if (!options.merge_summaries.empty()) return merge_summaries(options);
  if (options.check_models && options.compiler_flags && options.files.empty()) {
    const ModelHeadersFile headers(load_models(options.models));
    Options with_file = options;
    with_file.files = {headers.path().string()};
    return LintRun(with_file).run();
  }
  return LintRun(options).run();
}

}  // namespace xfer::lint
