#include "ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "text.h"
#include "xfer/rules/report.h"

namespace xfer {

std::vector<const Finding*> by_severity(const std::vector<Finding>& findings) {
  std::vector<const Finding*> order;
  order.reserve(findings.size());
  for (const Finding& finding : findings) order.push_back(&finding);
  std::stable_sort(order.begin(), order.end(),
                   [](const Finding* a, const Finding* b) { return a->severity < b->severity; });
  return order;
}

std::array<std::size_t, 3> count_by_severity(const std::vector<Finding>& findings) {
  std::array<std::size_t, 3> counts{};
  for (const Finding& finding : findings) ++counts[static_cast<std::size_t>(finding.severity)];
  return counts;
}

Cost total_cost(const std::vector<Finding>& findings) {
  Cost total;
  for (const Finding& finding : findings)
    if (finding.cost) total += *finding.cost;
  return total;
}

bool stack_says_more(const Finding& finding) {
  const std::vector<Location>& stack = finding.stack;
  return stack.size() > 1 || (stack.size() == 1 && (stack[0].file != finding.location.file ||
                                                    stack[0].line != finding.location.line));
}

std::string describe(const Cost& cost, std::uint64_t run_ns, const std::optional<StepShare>& step) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const char* const modelled = cost.modelled ? "modelled " : "";
  if (cost.count != 0) add(cost.count == 1 ? "once" : plural(cost.count, "time"));
  if (cost.bytes != 0) add(format_bytes(cost.bytes));
  if (cost.host_ns != 0) add(modelled + format_duration(cost.host_ns) + " on the host");
  std::string saving;
  if (cost.saving_ns != 0 && cost.saving_ns != cost.host_ns)
    saving = "could save about " + format_duration(cost.saving_ns);
  const auto add_share = [&](double share, const std::string& whole) {
    // Threads lose time side by side: no more than the whole.
    if (share >= 0.001 && share <= 1)
      saving += fmt::format("{}{:.1f} % of {}", saving.empty() ? "" : ", ", 100 * share, whole);
  };
  if (run_ns != 0)
    add_share(static_cast<double>(cost.saving_ns) / static_cast<double>(run_ns), "the run");
  if (step)
    add_share(step->share(), step->name.empty() ? "the time from one to the next"
                                                : "each " + printable(step->name));
  if (!saving.empty()) text += " (" + saving + ")";
  if (cost.device_ns != 0) add(modelled + format_duration(cost.device_ns) + " on the device");
  return text.empty() ? "nothing measured" : text;
}

std::string describe_occurrence(const Finding& finding, std::uint64_t run_ns) {
  return (finding.cost->count != 0 ? "occurred " : "cost: ") +
         describe(*finding.cost, run_ns, finding.step);
}

std::string describe(const Location& location) {
  if (location.file.empty())
    return location.function.empty() ? "(unknown place)" : printable(location.function);
  std::string text = printable(location.file);
  if (location.line != 0) text += ":" + std::to_string(location.line);
  if (location.line != 0 && location.column != 0) text += ":" + std::to_string(location.column);
  return text;
}

namespace {

// "No findings" is praise for a run that was seen to its end alone.
std::string describe_none(const std::vector<RunInfo>& runs) {
  std::size_t part = 0, nothing = 0;
  for (const RunInfo& run : runs) {
    const std::vector<RunNotice> all = notices(run);
    const bool is_part =
        std::any_of(all.begin(), all.end(), [](const RunNotice& notice) { return !notice.covers; });
    const bool has_none =
        run.kind == RunKind::kTrace && (run.untraced != Untraced::kNo || run.cuda_calls == 0);
    if (has_none || is_part) ++(has_none ? nothing : part);
  }
  if (nothing != 0 && nothing == runs.size()) return "nothing was examined";
  return part + nothing != 0 ? "nothing found, but not everything was examined" : "no findings";
}

}  // namespace

std::string describe_counts(const Report& report) {
  const std::vector<Finding>& findings = report.findings;
  if (findings.empty()) return describe_none(report.runs);
  std::string text = plural(findings.size(), "finding");
  const auto counts = count_by_severity(findings);
  const char* separator = ": ";
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kAdvice}) {
    const std::size_t count = counts[static_cast<std::size_t>(severity)];
    if (count == 0) continue;
    // "advice" has no plural.
    text += separator + (severity == Severity::kAdvice ? fmt::format("{} advice", count)
                                                       : plural(count, name(severity)));
    separator = ", ";
  }
  return text;
}

}  // namespace xfer
