#include "analyzer/driver/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <tuple>

#include "analyzer/analyze_program.h"
#include "analyzer/driver/apply_fixes.h"
#include "analyzer/driver/baseline.h"
#include "analyzer/driver/checks.h"
#include "analyzer/driver/compile_db.h"
#include "analyzer/driver/console.h"
#include "analyzer/driver/depfile.h"
#include "analyzer/driver/diff_filter.h"
#include "analyzer/driver/explain_unknown.h"
#include "analyzer/driver/model_check.h"
#include "analyzer/driver/models.h"
#include "analyzer/driver/nolint.h"
#include "analyzer/driver/output.h"
#include "analyzer/driver/parse_files.h"
#include "analyzer/driver/project.h"
#include "analyzer/driver/toolchain.h"
#include "analyzer/driver/usage_error.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

using Clock = std::chrono::steady_clock;

/// A worker's memory limit for taking another file: a parse adds a few hundred MiB.
constexpr std::size_t kWorkerBytes = std::size_t{512} << 20;

class LintRun {
 public:
  explicit LintRun(const Options& options) : options_(options), start_(Clock::now()) {}

  int run() {
    check_inputs();
    options_.merge ? read_facts() : parse();
    say_parse_failures(run_);
    if (options_.check_models) return say_model_check(run_);
    if (!options_.emit_facts.empty()) return emit_facts();
    analyze();
    if (options_.explain_unknown) explain_unknown();
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
  /// Reports the errors that need no parse, before anything is parsed.
  void check_inputs() {
    rules_ = enabled_rules(options_.checks, options_.fail_on);
    models_ = load_models(options_.models);
    format_.emplace(models_, options_.models);
    if (!options_.profile.empty()) profile_ = read_profile(options_.profile);
    if (!options_.baseline.empty()) apply_baseline(options_.baseline, {}, {});
    if (!options_.output.empty()) check_writable(options_.output);
    if (!options_.write_baseline.empty()) check_writable(options_.write_baseline);
    if (!options_.emit_facts.empty()) check_writable(options_.emit_facts);
    if (!options_.depfile.empty()) {
      if (options_.emit_facts.empty())
        throw UsageError("--depfile: it says what --emit-facts was made from; give that too");
      check_writable(options_.depfile);
    }
    if (!options_.merge) {
      selection_ = select_commands(options_);
      for (const std::string& remark : selection_.remarks) say(remark);
    } else if (options_.files.empty()) {
      throw UsageError("--merge: name the files of facts, or their folders");
    } else {
      selection_.all_files = {fs::current_path() / "any"};
    }
    run_.root = project_root(selection_.all_files, options_.root);
    if (!fs::is_directory(run_.root))
      throw UsageError(fmt::format("--root: {} is not a folder", run_.root.string()));
    if (options_.diff_only == "-") {
      changed_ = ChangedLines::from_patch(std::cin);
    } else if (!options_.diff_only.empty()) {
      changed_ = ChangedLines::from_git(options_.diff_only, run_.root);
    }
  }

  void parse() {
    const Toolchain toolchain{clang_resource_dir(), gcc_include_dir(), library_headers(),
                              options_.cuda_path};
    if (toolchain.library)
      say(fmt::format("this machine has no C++ library's headers: libstdc++ {} comes with xferlint",
                      toolchain.library->cxx.filename().string()));
    std::vector<PlannedUnit> units = units_of(selection_.commands, toolchain);
    run_.files.resize(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) run_.files[i].dropped = units[i].command.dropped;
    PchCache cache;
    // --check-models asks for more than facts.
    std::optional<FactsStore> store;
    if (options_.stored_facts && !options_.check_models && cache.usable())
      store.emplace(cache.folder(), *format_, run_.root);
    const std::vector<std::size_t> left = take_stored(units, store ? &*store : nullptr);
    if (!left.empty()) parse(units, left, cache, store ? &*store : nullptr);
  }

  /// Takes the facts that earlier runs left; the numbers of the units for which there are none.
  std::vector<std::size_t> take_stored(std::vector<PlannedUnit>& units, FactsStore* store) {
    std::vector<std::optional<FileFacts>> stored(units.size());
    if (store != nullptr) {
      std::vector<std::string> keys;
      for (PlannedUnit& unit : units) keys.push_back(unit.key = store->key(unit.command));
      stored = store->find_all(keys, run_limits(options_.jobs, 0, units.size()).workers);
    }
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < units.size(); ++i) {
      run_.files[i].stored = stored[i].has_value();
      if (!stored[i]) {
        left.push_back(i);
        continue;
      }
      run_.files[i].facts = std::move(*stored[i]);
      if (!options_.depfile.empty()) run_.files[i].read = store->read(units[i].key);
    }
    run_.stored_facts_used = units.size() - left.size();
    return left;
  }

  void parse(std::vector<PlannedUnit>& units, const std::vector<std::size_t>& numbers,
             const PchCache& cache, FactsStore* store) {
    RunLimits limits = run_limits(options_.jobs, options_.timeout_seconds, numbers.size());
    limits.keep_read = !options_.depfile.empty();
    // A precompiled header does not say which files it was made of, and --check-models asks that.
    const bool precompiled = options_.precompiled_headers && !options_.check_models;
    const PchCache* used = precompiled && cache.usable() ? &cache : nullptr;
    std::vector<PlannedUnit> chosen;
    for (const std::size_t number : numbers) chosen.push_back(std::move(units[number]));
    Plan plan = make_plan(std::move(chosen), run_.root, used, limits.workers);
    WorkerSetup setup;
    setup.root = run_.root.string();
    setup.check_models = options_.check_models;
    for (const std::string& file : options_.models)
      setup.models.push_back(fs::absolute(file).string());
    setup.memory_bytes = kWorkerBytes;
    ParsedFiles parsed = parse_files(plan, setup, *format_, used, store, limits);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      FileOutcome& file = run_.files[numbers[i]];
      ParsedFile& result = parsed.files[i];
      file.facts = std::move(result.facts);
      file.parse = std::move(result.reply);
      file.failure = std::move(result.failure);
      file.read = std::move(result.read);
      if (!file.failure.empty())
        file.facts.file = shown_file(plan.units[i].command.file, run_.root);
    }
    run_.pchs_built = parsed.pchs_built;
    run_.pchs_used = parsed.pchs_used;
    constexpr std::uintmax_t kPchBytes = std::uintmax_t{4} << 30;
    constexpr std::uintmax_t kFactsBytes = std::uintmax_t{1} << 30;
    if (run_.pchs_built != 0) cache.trim(kPchBytes);
    if (store != nullptr) store->trim_at_times(kFactsBytes);
  }

  void read_facts() {
    for (const fs::path& path : facts_files(options_.files))
      for (FileFacts& facts : format_->read(path, run_.root))
        run_.files.emplace_back().facts = std::move(facts);
    std::ranges::stable_sort(run_.files, {}, [](const FileOutcome& file) -> const std::string& {
      return file.facts.file;
    });
  }

  int emit_facts() {
    const bool complete = failed_files(run_) == 0;
    std::vector<FileFacts> facts;
    for (FileOutcome& file : run_.files)
      if (file.facts.unit) facts.push_back(std::move(file.facts));
    std::ranges::stable_sort(facts, {}, &FileFacts::file);
    format_->write(options_.emit_facts, facts);
    if (!options_.depfile.empty()) write_depfile();
    return complete ? kClean : kParseFailure;
  }

  /// The models are files that the facts were made from as well.
  void write_depfile() const {
    std::set<std::string> files;
    for (const FileOutcome& file : run_.files) files.insert(file.read.begin(), file.read.end());
    for (const std::string& model : options_.models) files.insert(fs::absolute(model).string());
    const std::string& target =
        options_.depfile_target.empty() ? options_.emit_facts : options_.depfile_target;
    lint::write_depfile(options_.depfile, target, std::move(files));
  }

  /// Facts name files from the root; what is reported is named so at the end.
  void analyze() {
    std::vector<const analyzer::Unit*> units;
    for (FileOutcome& file : run_.files) {
      if (file.facts.unit)
        for (analyzer::SourceFile& source : file.facts.unit->files) {
          if (!source.name.empty()) source.name = (run_.root / source.name).string();
          if (!source.path.empty()) source.path = (run_.root / source.path).string();
        }
      units.push_back(file.facts.unit ? &*file.facts.unit : nullptr);
    }
    analyzer::AnalysisOptions analysis;
    analysis.explain_unknown = options_.explain_unknown;
    analysis.rules.insert(rules_.begin(), rules_.end());
    const unsigned threads = run_limits(options_.jobs, 0, units.size()).workers;
    analyzer::ProgramResult program = analyze_program(units, analysis, threads);
    for (std::size_t i = 0; i < units.size(); ++i) {
      run_.files[i].stats = std::move(program.units[i].stats);
      found_.push_back(std::move(program.units[i].findings));
    }
    run_.analysed_again = program.analysed_again;
  }

  void explain_unknown() {
    const analyzer::Unknowns unknowns = all_unknowns(run_);
    say_unknowns(unknowns);
    run_.report.stats["unknown"] = to_json(unknowns);
  }

  /// All findings once: a header's come from every unit that includes it.
  void gather() {
    Report& report = run_.report;
    report.tool = "xferlint";
    std::set<std::tuple<Rule, std::string, unsigned, unsigned, std::string>> seen;
    NolintFilter nolint;
    for (const FileOutcome& file : run_.files)
      if (file.facts.unit)
        for (const analyzer::SourceFile& source : file.facts.unit->files)
          if (!source.name.empty()) nolint.add(source.name, source.text);
    for (std::vector<Finding>& findings : found_) {
      for (Finding& finding : findings) {
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
        say(fmt::format("{}: {} is gone: --write-baseline removes it", options_.baseline, entry));
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
    for (const FileOutcome& file : run_.files) files.push_back(file.facts.file);
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
    if (failed_files(run_) != 0) return kParseFailure;
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
  analyzer::ModelSet models_;
  std::optional<FactsFormat> format_;
  Selection selection_;
  std::optional<ChangedLines> changed_;
  std::optional<Report> profile_;
  RunState run_;
  std::vector<std::vector<Finding>> found_;  ///< in each file
};

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
  if (options.check_models && options.compiler_flags && options.files.empty()) {
    const ModelHeadersFile headers(load_models(options.models));
    Options with_file = options;
    with_file.files = {headers.path().string()};
    return LintRun(with_file).run();
  }
  if (options.as_compiler) return LintRun(with_compile_line(options)).run();
  return LintRun(options).run();
}

}  // namespace xfer::lint
