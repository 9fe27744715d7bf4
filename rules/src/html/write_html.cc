#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "finding_card.h"
#include "html_escape.h"
#include "page.h"
#include "rule_pages.h"
#include "run_charts.h"
#include "run_section.h"
#include "src/json.h"
#include "src/ranking.h"
#include "src/run_summary.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

// A page with more of them would be slow to open; the rest is in the page's data.
constexpr std::size_t kMostShown = 2000;
// With more of them, a list of their first lines is what a person wants to see first.
constexpr std::size_t kMostOpen = 30;

std::vector<Finding> worst_first(std::vector<Finding> findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity < b.severity : costs_more(a, b);
  });
  findings.resize(std::min(findings.size(), kMostShown));
  return findings;
}

class HtmlWriter {
 public:
  HtmlWriter(const Report& report, std::ostream& out, const std::filesystem::path& root)
      : report_(report),
        out_(out),
        total_(total_cost(report.findings)),
        findings_(worst_first(report.findings)),
        cards_(out, SourceCache(source_folders(report, root)), total_) {}

  void write() {
    html::write_head(out_, {"xfercheck: " + describe_counts(report_), "Device misuse", subtitle()});
    html::write_notices(out_, report_.runs);
    summary();
    html::write_runs(out_, report_);
    html::write_run_charts(out_, report_.stats, findings_);
    controls();
    const bool open = findings_.size() <= kMostOpen;
    out_ << "<ol class=\"findings\" id=\"findings\">\n";
    for (std::size_t i = 0; i < findings_.size(); ++i)
      cards_.write(findings_[i],
                   {.id = fmt::format("f{}", i + 1), .open = open, .rule_link = true});
    out_ << "</ol>\n<p class=\"empty\" id=\"nothing\" hidden>No finding matches the filter.</p>\n";
    if (report_.findings.empty()) {
      std::string none = describe_counts(report_);
      none.front() = static_cast<char>(none.front() - 'a' + 'A');
      out_ << "<p class=\"empty\">" << none << ".</p>\n";
    }
    if (const std::size_t hidden = report_.findings.size() - findings_.size(); hidden != 0)
      out_ << fmt::format("<p class=\"empty\">{} more findings are in this page's data only.</p>\n",
                          hidden);
    html::write_rule_pages(out_, findings_);
    html::write_foot(out_, report_to_json(report_));
  }

 private:
  std::string subtitle() const {
    if (report_.tool == "xferlint") return "Found in source by xferlint";
    if (report_.tool == "xfertrace") return "Found at run time by xfertrace";
    if (report_.tool == "xfercheck") return "Found in source, measured at run time";
    return report_.tool;
  }

  void summary() {
    const auto counts = count_by_severity(report_.findings);
    const std::string modelled = total_.modelled ? "modelled " : "";
    out_ << "<dl class=\"tiles\">\n";
    html::write_tile(out_, "error", std::to_string(counts[0]), counts[0] == 1 ? "error" : "errors");
    html::write_tile(out_, "warning", std::to_string(counts[1]),
                     counts[1] == 1 ? "warning" : "warnings");
    if (counts[2] != 0) html::write_tile(out_, "advice", std::to_string(counts[2]), "advice");
    if (total_.count != 0)
      html::write_tile(out_, "", std::to_string(total_.count),
                       total_.count == 1 ? "occurrence" : "occurrences");
    if (total_.bytes != 0) html::write_tile(out_, "", format_bytes(total_.bytes), "moved");
    if (total_.host_ns != 0)
      html::write_tile(out_, "", format_duration(total_.host_ns), modelled + "host time");
    if (total_.device_ns != 0)
      html::write_tile(out_, "", format_duration(total_.device_ns), modelled + "device time");
    out_ << "</dl>\n";
    if (const std::string run = describe_run(report_); !run.empty())
      out_ << "<p class=\"sub\">" << html::escape(run) << "</p>\n";
  }

  std::string severities() const {
    std::string options;
    for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kAdvice})
      options += fmt::format("<option>{}</option>", name(severity));
    return options;
  }

  std::string rules() const {
    std::string options;
    for (const RuleInfo& rule : kRules) {
      const auto count = std::count_if(findings_.begin(), findings_.end(),
                                       [&](const Finding& f) { return f.rule == rule.rule; });
      if (count != 0)
        options += fmt::format("<option value=\"{0}\">{0} ({1})</option>", rule.slug, count);
    }
    return options;
  }

  // The script shows them.
  void controls() {
    if (findings_.empty()) return;
    out_ << "<form class=\"controls\" id=\"controls\" role=\"search\" hidden>\n"
            "<label class=\"search\"><span>Filter</span><input type=\"search\" id=\"query\" "
            "placeholder=\"file, function, message\" autocomplete=\"off\"></label>\n"
            "<label><span>Severity</span><select id=\"severity\"><option value=\"\">all</option>"
         << severities()
         << "</select></label>\n<label><span>Rule</span><select id=\"rule\"><option value=\"\">all"
            "</option>"
         << rules()
         << "</select></label>\n<label><span>Group by</span><select id=\"grouping\">"
            "<option value=\"\">nothing</option><option value=\"rule\">rule</option>"
            "<option value=\"file\">file</option></select></label>\n"
            "<button type=\"button\" id=\"toggle\" class=\"quiet\">"
         << (findings_.size() <= kMostOpen ? "Collapse all" : "Expand all")
         << "</button>\n<p class=\"keys\"><kbd>j</kbd> <kbd>k</kbd> next, previous &middot; "
            "<kbd>/</kbd> filter &middot; <kbd>g</kbd> group</p>\n"
            "<output id=\"shown\" class=\"visually-hidden\"></output></form>\n";
  }

  const Report& report_;
  std::ostream& out_;
  const Cost total_;
  const std::vector<Finding> findings_;  // that are shown
  html::FindingCards cards_;
};

}  // namespace

void write_html(const Report& report, std::ostream& out, const std::filesystem::path& root) {
  HtmlWriter(report, out, root).write();
}

}  // namespace xfer
