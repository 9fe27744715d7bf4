#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>

#include "ranking.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

// Two rules that say the same of a copy, each in its detector's words: what is sent again and again
// is what the source calls a transfer in a loop, and what a line throws away nobody uses. A run
// finding confirms the lint findings of its own rule and of these.
struct Confirmed {
  Rule run;
  Rule lint;
};
constexpr auto kConfirmed =
    std::to_array<Confirmed>({{Rule::kRepeatedTransfer, Rule::kTransferInLoop},
                              {Rule::kRepeatedTransfer, Rule::kRoundTrip},
                              {Rule::kRoundTrip, Rule::kRepeatedTransfer},
                              {Rule::kRoundTrip, Rule::kTransferInLoop},
                              {Rule::kUnusedTransfer, Rule::kDiscardedTransfer}});

bool confirms(Rule run, Rule lint) {
  return run == lint || std::any_of(kConfirmed.begin(), kConfirmed.end(), [&](const Confirmed& c) {
           return c.run == run && c.lint == lint;
         });
}

std::string normal_path(const std::string& file) {
  return std::filesystem::path(file).lexically_normal().generic_string();
}

// The same file, seen from two roots: a tool that ran in another folder gives a longer path.
bool same_file(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (!a.ends_with(b)) return false;
  if (a.size() == b.size()) return true;
  return !b.starts_with('/') && a.starts_with('/') && a[a.size() - b.size() - 1] == '/';
}

unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

/// The lint findings, by line.
class SourceFindings {
 public:
  explicit SourceFindings(std::vector<Finding>& findings) {
    for (Finding& finding : findings)
      if (has_line(finding))
        by_line_[finding.location.line].push_back({normal_path(finding.location.file), &finding});
  }

  /// The one that `run` confirms: on its line, of its kind, nearest to its column.
  Finding* confirmed_by(const Finding& run) {
    const auto line = by_line_.find(run.location.line);
    if (!has_line(run) || line == by_line_.end()) return nullptr;
    const std::string file = normal_path(run.location.file);
    Finding* nearest = nullptr;
    for (const auto& [its_file, finding] : line->second) {
      if (!confirms(run.rule, finding->rule) || !same_file(its_file, file)) continue;
      if (nearest == nullptr || closer(*finding, *nearest, run)) nearest = finding;
    }
    return nearest;
  }

 private:
  static bool has_line(const Finding& finding) {
    return !finding.location.file.empty() && finding.location.line != 0;
  }
  // By column where all have one; else, and at the same column, the finding of the very rule.
  static bool closer(const Finding& a, const Finding& b, const Finding& run) {
    const unsigned column = run.location.column;
    if (column != 0 && a.location.column != 0 && b.location.column != 0 &&
        a.location.column != b.location.column)
      return distance(a.location.column, column) < distance(b.location.column, column);
    return a.rule == run.rule && b.rule != run.rule;
  }

  std::map<unsigned, std::vector<std::pair<std::string, Finding*>>> by_line_;
};

void take_over(Finding& finding, const Finding& run) {
  if (run.cost) {
    if (!finding.cost) finding.cost.emplace();
    *finding.cost += *run.cost;
  }
  // The message has the count and the bytes; the times are the summary's own.
  std::string text = fmt::format("in the run: {} [{}]", run.message, info(run.rule).slug);
  if (run.cost && (run.cost->host_ns != 0 || run.cost->device_ns != 0))
    text += ", " + describe(Cost{0, 0, run.cost->host_ns, run.cost->device_ns, run.cost->saving_ns,
                                 run.cost->modelled});
  // Where the source finding is, whatever root the run's path started from.
  Location place = run.location;
  place.file = finding.location.file;
  finding.notes.push_back({std::move(place), std::move(text)});
  if (!finding.fix) finding.fix = run.fix;
  if (finding.stack.empty()) finding.stack = run.stack;
  finding.first_seen.insert(finding.first_seen.end(), run.first_seen.begin(), run.first_seen.end());
}

}  // namespace

Report merge(const Report& lint, const Report& trace) {
  Report merged;
  merged.tool = "xfercheck";
  merged.findings = lint.findings;

  SourceFindings source(merged.findings);
  std::vector<Finding> only_measured;
  for (const Finding& run : trace.findings) {
    if (Finding* confirmed = source.confirmed_by(run))
      take_over(*confirmed, run);
    else
      only_measured.push_back(run);
  }
  merged.findings.insert(merged.findings.end(), std::make_move_iterator(only_measured.begin()),
                         std::make_move_iterator(only_measured.end()));
  std::stable_sort(merged.findings.begin(), merged.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     if (a.severity != b.severity) return a.severity < b.severity;
                     return costs_more(a, b);
                   });
  merged.runs = lint.runs;
  merged.runs.insert(merged.runs.end(), trace.runs.begin(), trace.runs.end());
  if (!lint.stats.empty()) merged.stats["lint"] = lint.stats;
  if (!trace.stats.empty()) merged.stats["trace"] = trace.stats;
  return merged;
}

}  // namespace xfer
