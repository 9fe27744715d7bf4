#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "finding_card.h"
#include "html_escape.h"
#include "page.h"
#include "run_charts.h"
#include "src/json.h"
#include "src/ranking.h"
#include "src/run_stats.h"
#include "xfer/rules/diff.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const char* label;
  const char* path;  ///< in a run's stats
  std::string (*text)(std::uint64_t);
};

std::string plain(std::uint64_t number) { return std::to_string(number); }

constexpr std::array kRows = {
    Row{"copied to devices", "copies/host-to-device/bytes", format_bytes},
    Row{"copies to devices", "copies/host-to-device/count", plain},
    Row{"copied to the host", "copies/device-to-host/bytes", format_bytes},
    Row{"copies to the host", "copies/device-to-host/count", plain},
    Row{"copied within a device", "copies/within-device/bytes", format_bytes},
    Row{"copied between devices", "copies/between-devices/bytes", format_bytes},
    Row{"kernel launches", "launches/count", plain},
    Row{"waits", "syncs/count", plain},
    Row{"time in waits", "syncs/host_ns", format_duration},
    Row{"device allocations", "allocations/count", plain},
    Row{"from the first call to the last", "run_ns", format_duration}};

std::uint64_t sum_of(const Json& stats, const char* path) {
  std::uint64_t sum = 0;
  for (const Json* run : runs_of(stats)) sum += number_at(*run, path);
  return sum;
}

class DiffPage {
 public:
  DiffPage(const ReportDiff& diff, std::ostream& out, const std::filesystem::path& root)
      : diff_(diff), out_(out), cards_(out, SourceCache(root), Cost{}) {}

  void write() {
    html::write_head(out_, {"xfercheck: " + counts(), "Before and after", counts()});
    tiles();
    totals();
    out_ << "<ol class=\"findings\" id=\"findings\">\n";
    std::size_t number = 0;
    for (const FindingChange& change : diff_.changes) {
      const bool first = number == 0 || diff_.changes[number - 1].change != change.change;
      if (first) out_ << "<li class=\"group\"><h2>" << name(change.change) << "</h2></li>\n";
      const bool gone = change.change == Change::kGone;
      // The source is that of now, which a finding that is gone is not about.
      cards_.write(gone ? *change.before : *change.after,
                   {.id = fmt::format("f{}", ++number),
                    .before = !gone && change.before ? &*change.before : nullptr,
                    .sources = !gone});
    }
    out_ << "</ol>\n";
    if (diff_.changes.empty()) out_ << "<p class=\"empty\">Nothing changed.</p>\n";
    charts("Before", diff_.before_stats);
    charts("After", diff_.after_stats);
    html::write_foot(out_, diff_to_json(diff_));
  }

 private:
  std::size_t count(Change change) const {
    return static_cast<std::size_t>(
        std::count_if(diff_.changes.begin(), diff_.changes.end(),
                      [&](const FindingChange& one) { return one.change == change; }));
  }

  std::string counts() const {
    return fmt::format("{} new, {} worse, {} better, {} gone, {} unchanged", count(Change::kNew),
                       count(Change::kWorse), count(Change::kBetter), count(Change::kGone),
                       diff_.unchanged);
  }

  void tiles() {
    out_ << "<dl class=\"tiles\">\n";
    const auto tile = [&](const char* kind, std::size_t value, const char* label) {
      html::write_tile(out_, value != 0 ? kind : "", std::to_string(value), label);
    };
    tile("error", count(Change::kNew), "new");
    tile("warning", count(Change::kWorse), "worse");
    tile("good", count(Change::kBetter), "better");
    tile("good", count(Change::kGone), "gone");
    tile("", diff_.unchanged, "unchanged");
    out_ << "</dl>\n";
  }

  void totals() {
    std::string rows;
    for (const Row& row : kRows) {
      const std::uint64_t before = sum_of(diff_.before_stats, row.path);
      const std::uint64_t after = sum_of(diff_.after_stats, row.path);
      if (before == 0 && after == 0) continue;
      rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          row.label, row.text(before), row.text(after), change(before, after));
    }
    if (rows.empty()) return;
    out_
        << "<section class=\"chart\"><h2>The runs</h2>\n<table><thead><tr><td></td><th "
           "scope=\"col\">before</th><th scope=\"col\">after</th><th scope=\"col\">change</th></tr>"
           "</thead>\n<tbody>\n"
        << rows << "</tbody></table></section>\n";
  }

  static std::string change(std::uint64_t before, std::uint64_t after) {
    if (before == after) return "&ndash;";
    if (before == 0) return "new";
    return fmt::format("{:+.0f}&thinsp;%",
                       100 * (static_cast<double>(after) / static_cast<double>(before) - 1));
  }

  void charts(const char* title, const Json& stats) {
    if (runs_of(stats).empty()) return;
    out_ << "<div class=\"run\"><h2 class=\"of\">" << title << "</h2>\n";
    html::write_run_charts(out_, stats, {});
    out_ << "</div>\n";
  }

  const ReportDiff& diff_;
  std::ostream& out_;
  html::FindingCards cards_;
};

}  // namespace

void write_html(const ReportDiff& diff, std::ostream& out, const std::filesystem::path& root) {
  DiffPage(diff, out, root).write();
}

}  // namespace xfer
