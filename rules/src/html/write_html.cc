#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "html_escape.h"
#include "src/json.h"
#include "src/ranking.h"
#include "src/source_cache.h"
#include "src/text.h"
#include "xfer/rules/report.h"

namespace xfer {

namespace html {
extern const std::string_view css;
extern const std::string_view script;
}  // namespace html

namespace {

// A page with more of them would be slow to open; the rest is in the page's data.
constexpr std::size_t kMostShown = 2000;
constexpr std::size_t kContextLines = 2;
constexpr std::size_t kLongestLine = 400;

using html::escape;

std::string place_text(const Location& place) {
  if (place.file.empty()) return place.function.empty() ? "(unknown place)" : place.function;
  std::string text = place.file;
  if (place.line != 0) text += fmt::format(":{}", place.line);
  if (place.line != 0 && place.column != 0) text += fmt::format(":{}", place.column);
  return text;
}

class HtmlWriter {
 public:
  HtmlWriter(const Report& report, std::ostream& out, const std::filesystem::path& root)
      : report_(report), out_(out), sources_(root), total_(total_cost(report.findings)) {}

  void write() {
    head();
    summary();
    controls();
    out_ << "<ol class=\"findings\" id=\"findings\">\n";
    const std::size_t shown = std::min(report_.findings.size(), kMostShown);
    for (std::size_t i = 0; i < shown; ++i) finding(report_.findings[i], i);
    out_ << "</ol>\n<p class=\"empty\" id=\"nothing\" hidden>No finding matches the filter.</p>\n";
    if (report_.findings.empty()) out_ << "<p class=\"empty\">No findings.</p>\n";
    if (shown < report_.findings.size()) {
      out_ << fmt::format("<p class=\"empty\">{} more findings are in this page's data only.</p>\n",
                          report_.findings.size() - shown);
    }
    foot();
  }

 private:
  void head() {
    const std::string title = "xfercheck: " + describe_counts(report_.findings);
    out_ << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            // Nothing is loaded from anywhere, whatever the findings' texts hold.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>"
         << escape(title) << "</title>\n<style>\n"
         << html::css << "</style>\n</head>\n<body>\n";
    out_ << "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
            "<header class=\"page\"><div><h1>Device misuse</h1><p class=\"sub\">"
         << escape(subtitle())
         << "</p></div><button type=\"button\" id=\"theme\" class=\"quiet\" hidden>Theme</button>"
            "</header>\n<main>\n";
  }

  std::string subtitle() const {
    if (report_.tool == "xferlint") return "Found in source by xferlint";
    if (report_.tool == "xfertrace") return "Found at run time by xfertrace";
    if (report_.tool == "xfercheck") return "Found in source, measured at run time";
    return report_.tool;
  }

  void tile(std::string_view kind, const std::string& value, std::string_view label) {
    out_ << fmt::format("<div class=\"tile {}\"><dt>{}</dt><dd>{}</dd></div>\n", kind,
                        escape(label), escape(value));
  }

  void summary() {
    const auto counts = count_by_severity(report_.findings);
    out_ << "<dl class=\"tiles\">\n";
    tile("error", std::to_string(counts[0]), counts[0] == 1 ? "error" : "errors");
    tile("warning", std::to_string(counts[1]), counts[1] == 1 ? "warning" : "warnings");
    if (counts[2] != 0) tile("advice", std::to_string(counts[2]), "advice");
    if (total_.count != 0) tile("", std::to_string(total_.count), "occurrences measured");
    if (total_.bytes != 0) tile("", format_bytes(total_.bytes), "moved");
    if (total_.host_ns != 0) tile("", format_duration(total_.host_ns), "host time");
    if (total_.device_ns != 0) tile("", format_duration(total_.device_ns), "device time");
    out_ << "</dl>\n";
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

  void finding(const Finding& finding, std::size_t index) {
    const RuleInfo& rule = info(finding.rule);
    const std::string id = fmt::format("f{}", index + 1);
    out_ << fmt::format(
        "<li class=\"finding {0}\" id=\"{1}\" data-severity=\"{0}\" data-rule=\"{2}\">\n"
        "<details open>\n<summary><span class=\"badge {0}\">{0}</span>"
        "<span class=\"head\"><span class=\"message\">{3}</span>"
        "<span class=\"where\">{4}{5}</span></span><span class=\"slug\" title=\"{6}\">{2}</span>",
        name(finding.severity), id, rule.slug, html::escape_prose(finding.message),
        escape(place_text(finding.location)),
        finding.location.file.empty() || finding.location.function.empty()
            ? ""
            : " <span class=\"in\">in " + escape(finding.location.function) + "</span>",
        escape(rule.summary));
    out_ << "</summary>\n<div class=\"body\">\n";
    if (finding.cost) cost(*finding.cost);
    excerpt(finding.location, kContextLines);
    notes(finding);
    if (finding.fix) fix(*finding.fix);
    if (stack_says_more(finding)) stack(finding.stack);
    out_ << fmt::format(
        "<p class=\"meta\">confidence: {}{}</p>\n</div>\n</details>\n</li>\n",
        name(finding.confidence),
        finding.fingerprint.empty() ? "" : " &middot; fingerprint: " + escape(finding.fingerprint));
  }

  void cost(const Cost& cost) {
    out_ << "<div class=\"cost\"><span>" << escape(describe(cost)) << "</span>";
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
      return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    };
    const bool by_time = total_.host_ns != 0;
    const double percent = std::min(
        100.0, by_time ? share(cost.host_ns, total_.host_ns) : share(cost.bytes, total_.bytes));
    if (percent > 0) {
      out_ << fmt::format(
          "<span class=\"bar\" role=\"img\" aria-label=\"{0:.0f} percent of the measured {1}\">"
          "<span style=\"width:{0:.1f}%\"></span></span><span class=\"share\">{0:.0f}&thinsp;% of "
          "the measured {1}</span>",
          percent, by_time ? "host time" : "bytes");
    }
    out_ << "</div>\n";
  }

  // The line with `context` lines around it, its column marked.
  void excerpt(const Location& place, std::size_t context) {
    const std::size_t count = sources_.line_count(place.file);
    if (place.line == 0 || place.line > count) return;
    const std::size_t first = place.line > context ? place.line - context : 1;
    const std::size_t last = std::min<std::size_t>(count, place.line + context);
    out_ << "<pre class=\"source\" tabindex=\"0\"><code>";
    for (std::size_t line = first; line <= last; ++line) {
      const std::string_view text = sources_.line(place.file, line);
      const bool hit = line == place.line;
      out_ << fmt::format("<span class=\"line{}\"><span class=\"number\">{}</span>",
                          hit ? " hit" : "", line);
      const std::size_t mark = place.column == 0 ? text.size() : place.column - 1;
      if (hit && mark < text.size() && mark < kLongestLine) {
        const std::size_t end = token_end(text, mark);
        out_ << code(text.substr(0, mark)) << "<mark>" << code(text.substr(mark, end - mark))
             << "</mark>" << code(text.substr(end));
      } else {
        out_ << code(text);
      }
      out_ << "</span>\n";
    }
    out_ << "</code></pre>\n";
  }

  static std::string code(std::string_view text) {
    const bool cut = text.size() > kLongestLine;
    if (cut) {
      std::size_t length = kLongestLine;
      while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
      text = text.substr(0, length);
    }
    return html::escape_code(text) + (cut ? "&hellip;" : "");
  }

  static std::size_t token_end(std::string_view text, std::size_t begin) {
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == begin) end += std::max<std::size_t>(utf8_length(text.substr(begin)), 1);
    return end;
  }

  void notes(const Finding& finding) {
    if (finding.notes.empty()) return;
    out_ << "<ul class=\"notes\">\n";
    for (const Note& note : finding.notes) {
      out_ << "<li><p>" << html::escape_prose(note.message);
      if (!note.location.file.empty())
        out_ << " <span class=\"where\">" << escape(place_text(note.location)) << "</span>";
      out_ << "</p>\n";
      // The finding's own line is on the page already.
      if (note.location.file != finding.location.file ||
          note.location.line != finding.location.line)
        excerpt(note.location, 0);
      out_ << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  void fix(const Fix& fix) {
    out_ << "<div class=\"fix\"><p><strong>Fix</strong> " << html::escape_prose(fix.description)
         << "</p>\n";
    for (const Replacement& replacement : fix.replacements) change(replacement);
    out_ << "</div>\n";
  }

  // The lines that a replacement touches, before and after it.
  void change(const Replacement& replacement) {
    const auto [line, column] = sources_.position(replacement.file, replacement.offset);
    const auto [end_line, end_column] =
        sources_.position(replacement.file, replacement.offset + replacement.length);
    if (line == 0 || end_line == 0 || end_line - line > 20) return;
    out_ << "<pre class=\"source\" tabindex=\"0\"><code>";
    for (std::size_t i = line; i <= end_line; ++i)
      diff_line("removed", '-', sources_.line(replacement.file, i));
    std::string after(sources_.line(replacement.file, line).substr(0, column - 1));
    after += replacement.text;
    const std::string_view tail = sources_.line(replacement.file, end_line);
    if (end_column - 1 <= tail.size()) after += tail.substr(end_column - 1);
    for (std::size_t begin = 0; begin <= after.size();) {
      const std::size_t end = std::min(after.find('\n', begin), after.size());
      diff_line("added", '+', std::string_view(after).substr(begin, end - begin));
      begin = end + 1;
    }
    out_ << "</code></pre>\n";
  }

  void diff_line(std::string_view kind, char sign, std::string_view text) {
    out_ << fmt::format("<span class=\"line {}\"><span class=\"number\">{}</span>{}</span>\n", kind,
                        sign, code(text));
  }

  void stack(const std::vector<Location>& frames) {
    out_ << fmt::format(
        "<details class=\"stack\"><summary>Call stack, {}</summary>\n<ol start=\"0\">\n",
        plural(frames.size(), "frame"));
    for (const Location& frame : frames) {
      out_ << "<li><code>" << escape(frame.function.empty() ? "?" : frame.function) << "</code>";
      if (!frame.file.empty())
        out_ << " <span class=\"where\">" << escape(place_text(frame)) << "</span>";
      out_ << "</li>\n";
    }
    out_ << "</ol></details>\n";
  }

  void foot() {
    out_ << "</main>\n<footer class=\"page\"><p>xfercheck " XFER_VERSION
            " &middot; <a id=\"download\" href=\"#\" download=\"findings.json\" hidden>findings as "
            "JSON</a></p></footer>\n<script type=\"application/json\" id=\"data\">"
         << html::escape_script(dump(report_to_json(report_))) << "</script>\n<script>\n"
         << html::script << "</script>\n</body>\n</html>\n";
  }

  const Report& report_;
  std::ostream& out_;
  SourceCache sources_;
  Cost total_;
};

}  // namespace

void write_html(const Report& report, std::ostream& out, const std::filesystem::path& root) {
  HtmlWriter(report, out, root).write();
}

}  // namespace xfer
