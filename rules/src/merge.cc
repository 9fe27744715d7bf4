#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "ranking.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

using Line = std::pair<std::string, unsigned>;

std::optional<Line> line_of(const Finding& finding) {
  const Location& place = finding.location;
  if (place.file.empty() || place.line == 0) return std::nullopt;
  return Line{std::filesystem::path(place.file).lexically_normal().generic_string(), place.line};
}

void add_to(Cost& sum, const Cost& cost) {
  sum.count += cost.count;
  sum.bytes += cost.bytes;
  sum.host_ns += cost.host_ns;
  sum.device_ns += cost.device_ns;
}

void take_over(Finding& finding, const std::vector<const Finding*>& measured) {
  for (const Finding* run : measured) {
    if (run->cost) {
      if (!finding.cost) finding.cost.emplace();
      add_to(*finding.cost, *run->cost);
    }
    // The message has the count and the bytes; the times are the summary's own.
    std::string text = fmt::format("measured: {} [{}]", run->message, info(run->rule).slug);
    if (run->cost && (run->cost->host_ns != 0 || run->cost->device_ns != 0))
      text += ", " + describe(Cost{0, 0, run->cost->host_ns, run->cost->device_ns});
    finding.notes.push_back({run->location, std::move(text)});
    if (finding.stack.empty()) finding.stack = run->stack;
  }
}

// Host time first: it is what a person waits for. Then the device's, then the bytes.
auto cost_key(const Finding& finding) {
  const Cost cost = finding.cost.value_or(Cost{});
  return std::tuple(finding.cost.has_value(), cost.host_ns, cost.device_ns, cost.bytes, cost.count);
}

}  // namespace

Report merge(const Report& lint, const Report& trace) {
  Report merged;
  merged.tool = "xfercheck";
  merged.findings = lint.findings;

  std::map<Line, std::vector<const Finding*>> measured;
  for (const Finding& finding : trace.findings)
    if (const auto line = line_of(finding)) measured[*line].push_back(&finding);

  std::map<Line, bool> taken;
  for (Finding& finding : merged.findings) {
    const auto line = line_of(finding);
    if (!line) continue;
    const auto found = measured.find(*line);
    if (found == measured.end()) continue;
    take_over(finding, found->second);
    taken[*line] = true;
  }
  for (const Finding& finding : trace.findings) {
    const auto line = line_of(finding);
    if (!line || !taken.contains(*line)) merged.findings.push_back(finding);
  }

  std::stable_sort(merged.findings.begin(), merged.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     const auto left = cost_key(a), right = cost_key(b);
                     if (left != right) return left > right;
                     return a.severity < b.severity;
                   });
  if (!lint.stats.empty()) merged.stats["lint"] = lint.stats;
  if (!trace.stats.empty()) merged.stats["trace"] = trace.stats;
  return merged;
}

}  // namespace xfer
