#include "run_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "html_escape.h"
#include "long_name.h"
#include "src/run_stats.h"
#include "src/text.h"

namespace xfer::html {
namespace {

constexpr std::size_t kMostRuns = 16;
constexpr std::size_t kMostNotices = 8;
constexpr std::size_t kMostKernels = 50;

// Of all runs together.
std::map<std::string, std::uint64_t> skipped_kernels(const nlohmann::ordered_json& stats) {
  std::map<std::string, std::uint64_t> kernels;
  for (const nlohmann::ordered_json* run : runs_of(stats)) {
    const auto found = run->find("skipped_kernels");
    if (found == run->end() || !found->is_object()) continue;
    for (const auto& [name, count] : found->items()) kernels[name] += as_number(count);
  }
  return kernels;
}

void write_kernels(std::ostream& out, const nlohmann::ordered_json& stats) {
  const auto kernels = skipped_kernels(stats);
  if (kernels.empty()) return;
  std::vector<std::pair<std::uint64_t, std::string>> by_count;
  for (const auto& [name, count] : kernels) by_count.emplace_back(count, name);
  std::sort(by_count.rbegin(), by_count.rend());
  out << fmt::format(
      "<details class=\"run\"><summary>Kernels that were not executed: {}</summary>\n"
      "<ul class=\"kernels\">\n",
      kernels.size());
  for (std::size_t i = 0; i < std::min(by_count.size(), kMostKernels); ++i)
    out << fmt::format("<li>{} &times; <code>{}</code></li>\n", by_count[i].first,
                       long_name(by_count[i].second));
  if (by_count.size() > kMostKernels)
    out << fmt::format("<li>and {} more</li>\n", by_count.size() - kMostKernels);
  out << "</ul></details>\n";
}

void write_run(std::ostream& out, const RunInfo& run, bool open) {
  out << fmt::format("<details class=\"run\"{}><summary>{}</summary>\n<dl class=\"facts\">\n",
                     open ? " open" : "", escape(run_line(run)));
  for (const auto& [label, text] : rows(run))
    out << fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(label), escape(text));
  out << "</dl></details>\n";
}

}  // namespace

std::string run_line(const RunInfo& run) {
  std::string line = command_text(run.command);
  if (line.empty()) line = run.tool;
  const bool lint = run.kind == RunKind::kLint;
  for (const std::string& part :
       {date_text(run.start_ns), lint ? plural(run.files, "file") : device_text(run),
        lint ? std::string("nothing was run") : end_text(run)})
    if (!part.empty()) line += ", " + part;
  return line;
}

void write_notices(std::ostream& out, const std::vector<RunInfo>& runs) {
  std::size_t shown = 0;
  for (const RunInfo& run : runs)
    for (const RunNotice& notice : notices(run)) {
      if (shown++ >= kMostNotices) continue;
      out << "<div class=\"notice\" role=\"note\"><p>" << escape(run.tool) << ": "
          << escape(notice.text) << "</p>";
      if (!notice.next.empty()) out << "<p>try: <code>" << escape(notice.next) << "</code></p>";
      out << "</div>\n";
    }
  if (shown > kMostNotices)
    out << fmt::format("<p class=\"sub\">and {} more of this kind</p>\n", shown - kMostNotices);
}

void write_runs(std::ostream& out, const Report& report) {
  if (report.runs.empty()) return;
  out << "<section class=\"runs\" aria-label=\"What was run\">\n";
  const bool open = report.runs.size() == 1;
  for (std::size_t i = 0; i < std::min(report.runs.size(), kMostRuns); ++i)
    write_run(out, report.runs[i], open);
  if (report.runs.size() > kMostRuns)
    out << fmt::format("<p class=\"sub\">and {} more runs</p>\n", report.runs.size() - kMostRuns);
  write_kernels(out, report.stats);
  out << "</section>\n";
}

}  // namespace xfer::html
