#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "finding_card.h"
#include "html_escape.h"
#include "page.h"
#include "run_charts.h"
#include "src/json.h"
#include "src/ranking.h"
#include "src/run_summary.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

// A page with more of them would be slow to open; the rest is in the page's data.
constexpr std::size_t kMostShown = 2000;

class HtmlWriter {
 public:
  HtmlWriter(const Report& report, std::ostream& out, const std::filesystem::path& root)
      : report_(report),
        out_(out),
        total_(total_cost(report.findings)),
        cards_(out, root, total_) {}

  void write() {
    html::write_head(
        out_, {"xfercheck: " + describe_counts(report_.findings), "Device misuse", subtitle()});
    summary();
    const std::size_t shown = std::min(report_.findings.size(), kMostShown);
    html::write_run_charts(out_, report_.stats, {report_.findings.data(), shown});
    controls();
    out_ << "<ol class=\"findings\" id=\"findings\">\n";
    for (std::size_t i = 0; i < shown; ++i)
      cards_.write(report_.findings[i], {.id = fmt::format("f{}", i + 1)});
    out_ << "</ol>\n<p class=\"empty\" id=\"nothing\" hidden>No finding matches the filter.</p>\n";
    if (report_.findings.empty()) out_ << "<p class=\"empty\">No findings.</p>\n";
    if (shown < report_.findings.size()) {
      out_ << fmt::format("<p class=\"empty\">{} more findings are in this page's data only.</p>\n",
                          report_.findings.size() - shown);
    }
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
    out_ << "<dl class=\"tiles\">\n";
    html::write_tile(out_, "error", std::to_string(counts[0]), counts[0] == 1 ? "error" : "errors");
    html::write_tile(out_, "warning", std::to_string(counts[1]),
                     counts[1] == 1 ? "warning" : "warnings");
    if (counts[2] != 0) html::write_tile(out_, "advice", std::to_string(counts[2]), "advice");
    if (total_.count != 0)
      html::write_tile(out_, "", std::to_string(total_.count), "occurrences measured");
    if (total_.bytes != 0) html::write_tile(out_, "", format_bytes(total_.bytes), "moved");
    if (total_.host_ns != 0)
      html::write_tile(out_, "", format_duration(total_.host_ns), "host time");
    if (total_.device_ns != 0)
      html::write_tile(out_, "", format_duration(total_.device_ns), "device time");
    out_ << "</dl>\n";
    if (const std::string run = describe_run(report_); !run.empty())
      out_ << "<p class=\"sub\">" << html::escape(run) << "</p>\n";
  }

  void controls() {
    if (report_.findings.empty()) return;
    out_ << "<form class=\"controls\" id=\"controls\" role=\"search\" hidden>\n"
            "<label class=\"search\"><span>Filter</span><input type=\"search\" id=\"query\" "
            "placeholder=\"file, function, message\" autocomplete=\"off\"></label>\n"
            "<label><span>Severity</span><select id=\"severity\"><option value=\"\">all</option>";
    for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kAdvice})
      out_ << fmt::format("<option>{}</option>", name(severity));
    out_ << "</select></label>\n<label><span>Rule</span><select id=\"rule\"><option value=\"\">all"
            "</option>";
    for (const RuleInfo& rule : kRules) {
      const auto count = std::count_if(report_.findings.begin(), report_.findings.end(),
                                       [&](const Finding& f) { return f.rule == rule.rule; });
      if (count != 0)
        out_ << fmt::format("<option value=\"{0}\">{0} ({1})</option>", rule.slug, count);
    }
    out_
        << "</select></label>\n"
           "<button type=\"button\" id=\"toggle\" class=\"quiet\">Collapse all</button>\n"
           "<p class=\"keys\"><kbd>j</kbd> <kbd>k</kbd> next, previous &middot; <kbd>/</kbd> filter"
           "</p>\n<output id=\"shown\" class=\"visually-hidden\"></output></form>\n";
  }

  const Report& report_;
  std::ostream& out_;
  const Cost total_;
  html::FindingCards cards_;
};

}  // namespace

void write_html(const Report& report, std::ostream& out, const std::filesystem::path& root) {
  HtmlWriter(report, out, root).write();
}

}  // namespace xfer
