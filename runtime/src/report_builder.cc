#include "xfer/report_builder.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "detect/transfer.h"
#include "examine.h"
#include "finding_text.h"
#include "found_at_line.h"
#include "kernel_code.h"
#include "metadata_number.h"
#include "missing_lines.h"
#include "recorded_run.h"
#include "scope_name.h"
#include "trace_stats.h"
#include "whose_call.h"

namespace xfer {
namespace {

constexpr unsigned kSameStatementLines = 1;

bool same_statement(const SymbolFrame* copy, const SymbolFrame* other) {
  if (copy == nullptr || other == nullptr || copy->location.file.empty()) return false;
  const Location& a = copy->location;
  const Location& b = other->location;
  return a.file == b.file && a.function == b.function && b.line >= a.line &&
         b.line - a.line <= kSameStatementLines;
}

/// argmax, ArgMaxOps, sampling: of names that may be mangled.
bool is_choice(std::string_view kernel) {
  constexpr std::string_view kChoices[] = {"argmax", "ArgMax",      "argmin",
                                           "ArgMin", "multinomial", "Multinomial"};
  return std::ranges::any_of(kChoices, [&](std::string_view choice) {
    return kernel.find(choice) != std::string_view::npos;
  });
}

/// A few bytes may be the same again because the data is so, as a batch of flags that are all set.
bool may_be_chance(const EngineFinding& found) {
  return (found.reason == Reason::kHeldElsewhere || found.reason == Reason::kFreedUnchanged) &&
         found.largest_bytes < EngineOptions{}.few_bytes;
}

bool is_judged_by_times(const EngineFinding& found) {
  return found.reason == Reason::kUploadWaits || found.reason == Reason::kWaitsForEach ||
         found.reason == Reason::kBlocksEachStep || found.reason == Reason::kPoolTrimmed ||
         found.reason == Reason::kUploadDrains || found.rule == Rule::kExposedCopy ||
         found.rule == Rule::kSlowCopy;
}

std::string part_of_the_copies(const EngineFinding& found) {
  if (found.copies_at_site <= found.cost.count) return {};
  return std::to_string(found.cost.count) + " of the " + std::to_string(found.copies_at_site) +
         " copies at this line";
}

/// The same at the same place, in another process.
bool same(const FoundAt& a, const FoundAt& b) {
  return a.finding.rule == b.finding.rule && a.finding.confidence == b.finding.confidence &&
         a.calls.reason == b.calls.reason && a.calls.device == b.calls.device &&
         a.calls.source_device == b.calls.source_device && a.finding.location == b.finding.location;
}

void take_over(FoundAt& sum, const FoundAt& found) {
  const std::string part = part_of_the_copies(sum.calls);
  add(sum.calls, found.calls);
  const bool modelled = sum.finding.cost->modelled || found.finding.cost->modelled;
  sum.finding.cost = sum.calls.cost;
  sum.finding.cost->modelled = modelled;
  if (sum.calls.step.saving_ns != 0) sum.finding.step = sum.calls.step;
  sum.finding.message = message_of(sum.calls);
  for (Note& note : sum.finding.notes)
    if (!part.empty() && note.message == part) note.message = part_of_the_copies(sum.calls);
  sum.runs.insert(sum.runs.end(), found.runs.begin(), found.runs.end());
  sum.finding.first_seen.insert(sum.finding.first_seen.end(), found.finding.first_seen.begin(),
                                found.finding.first_seen.end());
}

/// Which ranks of a distributed job a finding is of; empty: the runs are no ranks of one.
std::string ranks_text(const std::vector<std::uint64_t>& having, const std::vector<RunInfo>& runs) {
  std::set<int> all, of;
  for (const RunInfo& run : runs)
    if (!run.rank || !all.insert(*run.rank).second) return {};
  for (const std::uint64_t run : having) of.insert(*runs[run].rank);
  if (of.size() == all.size()) return "on all " + std::to_string(all.size()) + " ranks";
  constexpr std::size_t kNamed = 8;
  std::string text = of.size() == 1 ? "on rank " : "on ranks ";
  std::size_t named = 0;
  for (const int rank : of)
    if (named++ < kNamed) text += (named == 1 ? "" : ", ") + std::to_string(rank);
  if (of.size() > kNamed) text += " and " + std::to_string(of.size() - kNamed) + " more";
  return text + " of " + std::to_string(all.size());
}

class Builder {
 public:
  Builder(const Trace& trace, const TraceStats& stats, Symbolizer& symbols,
          const ReportBuilderOptions& options)
      : trace_(trace),
        stats_(stats),
        symbols_(symbols),
        suppressions_(options.suppressions),
        judges_modelled_times_(options.judge_modelled_times) {}

  bool same_statement(std::uint32_t site, std::uint32_t other) {
    return xfer::same_statement(user_frame(stack_of(site)), user_frame(stack_of(other)));
  }

  bool same_path(std::uint32_t site, std::uint32_t other) {
    const std::vector<SymbolFrame>& a = stack_of(site);
    const std::vector<SymbolFrame>& b = stack_of(other);
    // Libraries' calls in between count, as those that print.
    const auto python = std::views::filter(&SymbolFrame::python);
    return std::ranges::equal(a | python, b | python, {}, &SymbolFrame::location,
                              &SymbolFrame::location) &&
           as_shown(a) == as_shown(b);
  }

  void add(const EngineFinding& found) {
    if (is_judged_by_times(found) && !device_times_are_measured()) return;
    const std::vector<SymbolFrame>& stack = stack_of(found.site);
    if (is_suppressed(found.rule, stack)) {
      ++suppressed_;
      return;
    }
    const SymbolFrame* place = user_frame(stack);
    if (is_nobodys(found, stack, place)) return;
    if (found.reason == Reason::kWaitedForPinned && !is_one_call(stack, stack_of(found.other_site)))
      return;
    // A copy of what a model was given: its tensors on the host are gone.
    if (found.reason == Reason::kWaitsForEach && is_of_module(stack)) return;
    if (found.reason == Reason::kSentAndReturned && is_of_module(stack_of(found.other_site)) &&
        !is_of_module(stack))
      return;
    if (found.reason == Reason::kNothingToSee && is_of_capture(stack_of(found.other_site))) return;
    const Location at = place != nullptr ? place->location : Location{};
    // A template is one place, whatever it was made with.
    std::vector<FoundAtLine>& there =
        by_line_[{found.rule, at.file, at.line, at.file.empty() ? at.function : std::string()}];
    const FoundAtLine one{found, stack, {as_shown(stack)}, {{found.site, found.copies_at_site}}};
    const auto known = std::find_if(there.begin(), there.end(), [&](const FoundAtLine& sum) {
      return is_one_waste(sum.found, found);
    });
    if (known == there.end())
      there.push_back(one);
    else
      take_in(*known, one);
  }

  // Those of emulated devices are estimates.
  bool device_times_are_measured() const {
    return judges_modelled_times_ ||
           (trace_.metadata().contains("emulated") && !is_emulated(trace_));
  }

  bool pins_anew(std::uint32_t site) { return is_of_pinning_loader(stack_of(site)); }

  std::uint64_t suppressed() const { return suppressed_; }
  /// After take().
  const MissingLines& missing_lines() const { return missing_lines_; }

  std::vector<FoundAt> take() {
    std::vector<FoundAt> findings;
    for (const auto& [key, there] : by_line_)
      for (const FoundAtLine& one : there) findings.push_back({finding_of(one), one.found});
    std::stable_sort(findings.begin(), findings.end(), [](const FoundAt& a, const FoundAt& b) {
      return costs_more(a.finding, b.finding);
    });
    return findings;
  }

 private:
  using Key = std::tuple<Rule, std::string, unsigned, std::string>;

  // Paths that differ within libraries alone are one for who reads the report.
  static std::string as_shown(const std::vector<SymbolFrame>& stack) {
    std::string path;
    for (const SymbolFrame& frame : folded(stack))
      path += frame.location.function + '\n' + frame.location.file + ':' +
              std::to_string(frame.location.line) + '\n';
    return path;
  }

  const std::vector<SymbolFrame>& stack_of(std::uint32_t site) {
    const auto [entry, is_new] = stacks_.try_emplace(site);
    if (is_new && site != 0) entry->second = symbols_.stack(trace_, site);
    return entry->second;
  }

  // By any frame, those of libraries included.
  bool is_suppressed(Rule rule, const std::vector<SymbolFrame>& stack) const {
    if (suppressions_.empty()) return false;
    std::vector<std::string_view> names;
    for (const SymbolFrame& frame : stack) {
      names.push_back(frame.location.function);
      names.push_back(frame.location.file);
      names.push_back(frame.module);
    }
    return suppressions_.match(rule, names);
  }

  // The fastest copy's rate counts as the rate that the bus can do.
  std::string slower_than_the_bus(const EngineFinding& found) const {
    const Cost& cost = found.cost;
    const bool crosses = (found.device < 0) != (found.source_device < 0);
    if (!crosses || cost.device_ns == 0 || cost.bytes < cost.count * kLargeCopy) return {};
    const double rate = static_cast<double>(cost.bytes) * 1e9 / static_cast<double>(cost.device_ns);
    const auto best = static_cast<double>(stats_.best_bytes_per_s(found.source_device < 0));
    if (rate * 2 > best) return {};
    return "at " + format_rate(rate) + "; the fastest copy in this direction ran at " +
           format_rate(best);
  }

  // As the program calls them; empty: it does not.
  std::string named(const std::vector<std::uint32_t>& buffers) const {
    std::string names;
    for (const std::uint32_t buffer : buffers)
      names += (names.empty() ? "" : ", ") + ('"' + std::string(trace_.string(buffer)) + '"');
    return names.empty() ? names
                         : (buffers.size() == 1 ? "the buffer is " : "the buffers are ") + names;
  }

  Finding finding_of(const FoundAtLine& merged) {
    const EngineFinding& found = merged.found;
    Finding finding;
    finding.rule = found.rule;
    finding.confidence = found.confidence;
    const SymbolFrame* const place = user_frame(merged.stack);
    const bool advice = found.confidence == Confidence::kLookAlike || is_of_library(found, place) ||
                        may_be_chance(found);
    finding.severity = advice ? Severity::kAdvice : severity_of(found);
    finding.message = message_of(found);
    finding.fix = Fix{remedy_of(found), {}};
    finding.cost = found.cost;
    finding.cost->modelled = is_emulated(trace_);
    if (found.step.saving_ns != 0) finding.step = found.step;
    if (place != nullptr) finding.location = place->location;
    for (SymbolFrame& frame : folded(merged.stack))
      finding.stack.push_back(std::move(frame.location));
    const SymbolFrame* const other = user_frame(stack_of(found.other_site));
    // Without files, a place says what the program does there: the same is no other place.
    if (other != nullptr && !(other->location == finding.location && other->location.file.empty()))
      finding.notes.push_back({other->location, about_the_other(found)});
    if (const std::string names = named(found.buffers); !names.empty())
      finding.notes.push_back({finding.location, names});
    if (const std::string part = part_of_the_copies(found); !part.empty())
      finding.notes.push_back({finding.location, part});
    if (const std::string slow = slower_than_the_bus(found); !slow.empty())
      finding.notes.push_back({finding.location, slow});
    if (merged.paths.size() > 1)
      finding.notes.push_back({finding.location, "reached by " +
                                                     std::to_string(merged.paths.size()) +
                                                     " call paths; the costliest is shown"});
    missing_lines_.look_at(place, finding);
    return finding;
  }

  const Trace& trace_;
  const TraceStats& stats_;
  Symbolizer& symbols_;
  const Suppressions& suppressions_;
  const bool judges_modelled_times_;
  std::uint64_t suppressed_ = 0;
  std::map<std::uint32_t, std::vector<SymbolFrame>> stacks_;
  std::map<Key, std::vector<FoundAtLine>> by_line_;
  MissingLines missing_lines_;
};

// Work that the tracer left out by its budget: silence about it is no praise.
void add_what_was_skipped(const nlohmann::ordered_json& stats, std::vector<std::string>& problems) {
  const auto content = stats.find("content");
  if (content == stats.end()) return;
  const auto of = [&](const char* name) { return content->value(name, std::uint64_t{0}); };
  constexpr const char* kRemedy = " (XFERCHECK_OPTIONS=hash_budget=100 sets no limit)";
  if (const std::uint64_t copies = of("skipped_copies"); copies != 0)
    problems.push_back(
        "the content of " + std::to_string(copies) + (copies == 1 ? " copy (" : " copies (") +
        format_bytes(of("skipped_bytes")) +
        ") was not hashed, because the time budget was spent: repeats among them are not found" +
        kRemedy);
  if (of("unsearched_uploads") != 0)
    problems.push_back(
        "an upload was not searched for device addresses, because the time budget was spent: from "
        "then on a kernel counts as using every buffer unless its code shows otherwise" +
        std::string(kRemedy));
}

// Likewise for memory that was not watched.
void add_what_was_not_watched(const Trace& trace, std::vector<std::string>& problems) {
  const auto count_of = [&](const char* key) {
    return metadata_number<std::uint64_t>(trace, key).value_or(0);
  };
  if (const std::uint64_t rests = count_of("watch.rests"); rests != 0)
    problems.push_back(
        "host memory that devices use was not watched for a while, " + std::to_string(rests) +
        (rests == 1 ? " time" : " times") +
        ", because the time budget was spent: accesses that came too early then are not found");
  if (const std::uint64_t results = count_of("watch.unwatched_results"); results != 0)
    problems.push_back(std::to_string(results) +
                       (results == 1
                            ? " download to pageable memory was not watched: whether the "
                              "program reads it"
                            : " downloads to pageable memory were not watched: whether the "
                              "program reads them") +
                       " is not known");
}

void add_graph_copies(const nlohmann::ordered_json& stats, std::vector<std::string>& problems) {
  const auto copies = stats.find("graph_copies");
  if (copies == stats.end()) return;
  const auto count = copies->value("count", std::uint64_t{0});
  problems.push_back("graphs made " + std::to_string(count) +
                     (count == 1 ? " copy (" : " copies (") +
                     format_bytes(copies->value("bytes", std::uint64_t{0})) +
                     "), which are not checked for repeats and unused results");
}

void add_python_not_read(const Trace& trace, std::vector<std::string>& problems) {
  const auto version = trace.metadata().find("python.unread");
  if (version != trace.metadata().end())
    problems.push_back("Python " + version->second +
                       " is not supported (3.9 to 3.14 are): call stacks have native frames only");
}

// The details that the trace file left out to stay within its limits.
void add_detail_left_out(const Trace& trace, std::vector<std::string>& problems) {
  constexpr std::pair<const char*, const char*> kDetails[] = {
      {"detail.device_times", " device times were left out to keep the trace small"},
      {"detail.cut_stacks",
       " calls have only the inner part of their stacks: there were too many stacks"},
      {"detail.stacks", " calls have no stack: there were too many stacks"},
      {"detail.scopes",
       " NVTX ranges were not recorded as scopes: there were too many names, or too many open at "
       "once"}};
  for (const auto& [key, what] : kDetails)
    if (const auto found = trace.metadata().find(key); found != trace.metadata().end())
      problems.push_back(found->second + what);
}

Ending ending_of(const Trace& trace) {
  // Other tools record a part of a run.
  if (!trace.complete() || trace.metadata().contains("recorded_by")) return Ending::kBrokenOff;
  return metadata_number<int>(trace, "exit_code") == 0 ? Ending::kSucceeded : Ending::kFailed;
}

}  // namespace

Examined examine(Trace& trace, const ReportBuilderOptions& options) {
  TraceStats stats;
  Symbolizer symbols(options.project_root, options.debug_folder);
  Builder builder(trace, stats, symbols, options);
  EngineOptions judging = options.engine;
  judging.same_statement = [&builder](std::uint32_t site, std::uint32_t other) {
    return builder.same_statement(site, other);
  };
  judging.same_path = [&builder](std::uint32_t site, std::uint32_t other) {
    return builder.same_path(site, other);
  };
  judging.times_are_measured = builder.device_times_are_measured();
  judging.by_xfertrace = !trace.metadata().contains("recorded_by");
  judging.is_choice = [&trace](std::uint32_t name) { return is_choice(trace.string(name)); };
  judging.step_name = [&trace](std::uint32_t name) { return without_numbers(trace.string(name)); };
  judging.pins_anew = [&builder](std::uint32_t site) { return builder.pins_anew(site); };
  Engine engine(judging);
  KernelCode code(trace);
  for (Event event; trace.next(event);) {
    code.refine(event);
    engine.add(event);
    stats.add(event);
  }
  for (const EngineFinding& found : engine.finish(ending_of(trace))) builder.add(found);

  Examined result{builder.take(), stats.to_json(trace), {}};
  for (FoundAt& found : result.findings)
    if (stats.begin_ns() != 0 && found.calls.first_ns >= stats.begin_ns())
      found.finding.first_seen = {{0, found.calls.first_ns - stats.begin_ns()}};
  std::vector<std::string> problems = trace.problems();
  if (!problems.empty()) result.stats["damaged"] = true;
  add_what_was_skipped(result.stats, problems);
  add_what_was_not_watched(trace, problems);
  add_graph_copies(result.stats, problems);
  add_detail_left_out(trace, problems);
  add_python_not_read(trace, problems);
  problems.insert(problems.end(), symbols.problems().begin(), symbols.problems().end());
  const std::vector<std::string> no_lines = builder.missing_lines().problems();
  problems.insert(problems.end(), no_lines.begin(), no_lines.end());
  if (!problems.empty()) result.stats["problems"] = problems;
  if (builder.suppressed() != 0) result.stats["suppressed"] = builder.suppressed();
  result.run = recorded_run(trace, result.stats, options.project_root.string());
  return result;
}

Report build_report(Trace& trace, const ReportBuilderOptions& options) {
  Examined examined = examine(trace, options);
  Report report;
  report.tool = "xfertrace";
  for (FoundAt& found : examined.findings) report.findings.push_back(std::move(found.finding));
  report.stats = std::move(examined.stats);
  report.runs.push_back(std::move(examined.run));
  return report;
}

Report build_report(const std::vector<std::filesystem::path>& traces,
                    const ReportBuilderOptions& options) {
  if (traces.size() == 1) {
    return build_report(*open_trace(traces.front()), options);
  }
  std::vector<FoundAt> findings;
  Report all;
  all.tool = "xfertrace";
  nlohmann::ordered_json processes = nlohmann::ordered_json::array();
  for (const std::filesystem::path& path : traces) {
    Examined one = examine(*open_trace(path), options);
    const std::uint64_t run = processes.size();
    processes.push_back(std::move(one.stats));
    all.runs.push_back(std::move(one.run));
    for (FoundAt& found : one.findings) {
      for (FirstSeen& seen : found.finding.first_seen) seen.run = run;
      found.runs = {run};
      const auto known = std::find_if(findings.begin(), findings.end(),
                                      [&](const FoundAt& other) { return same(other, found); });
      if (known == findings.end())
        findings.push_back(std::move(found));
      else
        take_over(*known, found);
    }
  }
  for (FoundAt& found : findings) {
    if (const std::string ranks = ranks_text(found.runs, all.runs); !ranks.empty())
      found.finding.notes.push_back({found.finding.location, ranks});
    all.findings.push_back(std::move(found.finding));
  }
  std::stable_sort(all.findings.begin(), all.findings.end(),
                   [](const Finding& a, const Finding& b) { return costs_more(a, b); });
  all.stats["processes"] = std::move(processes);
  return all;
}

}  // namespace xfer
